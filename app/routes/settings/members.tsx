import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { hasRight } from "../../domain/scope.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { changeMembersByForm } from "../../features/people/change-members-form.server.ts";
import { listMembers, parseMemberFilters } from "../../features/people/list-members.server.ts";
import { MemberFilter } from "../../features/people/member-filter.tsx";
import { MemberList } from "../../features/people/member-list.tsx";
import { OrganizationForm } from "../../features/people/organization-form.tsx";
import { renameOrganization } from "../../features/people/rename-organization.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/members.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseMemberFilters(url.searchParams);
  const workspace = context.get(workspaceContext);
  return {
    filters,
    list: await listMembers(workspace, filters),
    organization: hasRight(workspace.scope, "org:write") ? workspace.organization.name : null,
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  if (form.get("intent") === "rename-organization") {
    const renamed = await renameOrganization(context.get(workspaceContext), String(form.get("name") ?? ""));
    if (!renamed.ok)
      return data({ ...renamed, field: "name" as const, typed: keepTyped(form) }, { status: renamed.status });
    return { ok: true as const, message: `The organization is called ${renamed.name} now.`, undo: null };
  }
  const userId = Number(form.get("member"));
  const result = await changeMembersByForm(context.get(workspaceContext), {
    form,
    userId,
    origin: url.origin,
    now: Date.now(),
  });
  return result.ok ? result : data({ ...result, typed: null }, { status: result.status });
}

export default function MembersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { filters, list, organization } = loaderData;
  const refusedName = actionData && !actionData.ok && actionData.typed !== null ? actionData : null;
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
      {actionData && refusedName === null && (
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
      {/* After a refusal the list is drawn anew, because the chosen values were not saved. */}
      <MemberList key={actionData && !actionData.ok ? "refused" : ""} list={list} isRemoved={filters.isRemoved} />
      {organization !== null && !filters.isRemoved && (
        <OrganizationForm
          key={organization}
          name={organization}
          typed={refusedName?.typed ?? null}
          error={refusedName?.message ?? null}
        />
      )}
    </div>
  );
}

export function meta() {
  return [{ title: "Members · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
