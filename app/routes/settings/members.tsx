import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changeMembersByForm } from "../../features/people/change-members-form.server.ts";
import { listMembers, parseMemberFilters } from "../../features/people/list-members.server.ts";
import { MemberFilter } from "../../features/people/member-filter.tsx";
import { MemberList } from "../../features/people/member-list.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/members.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseMemberFilters(url.searchParams);
  return { filters, list: await listMembers(context.get(workspaceContext), filters) };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const userId = Number(form.get("member"));
  const result = await changeMembersByForm(context.get(workspaceContext), {
    form,
    userId,
    origin: url.origin,
    now: Date.now(),
  });
  return result.ok ? result : data(result, { status: result.status });
}

export default function MembersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { filters, list } = loaderData;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title="Members"
        trail={[{ label: "Settings", to: "/settings" }]}
        actions={
          list.mayChange && (
            <LinkButton to="/settings/invitations" variant="primary">
              Invite
            </LinkButton>
          )
        }
      />
      <MemberFilter filters={filters} list={list} />
      {actionData && (
        <Notice
          tone={actionData.ok ? "done" : "error"}
          title={actionData.message}
          actions={
            actionData.ok &&
            actionData.undo !== null && (
              <ButtonForm
                fields={{ member: actionData.undo }}
                name="intent"
                value="restore"
                size="sm"
                data-shortcut="u"
              >
                Undo
              </ButtonForm>
            )
          }
        />
      )}
      {/* After a refusal, what was chosen is not what is so. */}
      <MemberList key={actionData && !actionData.ok ? "refused" : ""} list={list} isRemoved={filters.isRemoved} />
    </div>
  );
}

export function meta() {
  return [{ title: "Members · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
