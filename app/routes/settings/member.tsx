import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { ROLE_WORDS } from "../../features/people/access-words.ts";
import { AskWhy } from "../../features/people/ask-why.tsx";
import { changeMembersByForm } from "../../features/people/change-members-form.server.ts";
import { explainAccess } from "../../features/people/explain-access.server.ts";
import { getMemberPage } from "../../features/people/get-member.server.ts";
import { AccessForm, AddressForm, RoleForm } from "../../features/people/member-forms.tsx";
import { WhyPanel } from "../../features/people/why-panel.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SecretNotice } from "../../ui/secret-notice.tsx";
import type { Route } from "./+types/member.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const page = await requireMember(workspace, params.member);
  const thing = url.searchParams.get("thing")?.trim() ?? "";
  const asked = { member: page.member, text: thing, origin: url.origin };
  return { page, thing, explained: thing === "" ? null : await explainAccess(workspace, asked) };
}

export async function action({ context, request, params, url }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const { member } = await requireMember(workspace, params.member);
  const form = await request.formData();
  const result = await changeMembersByForm(workspace, {
    form,
    userId: member.userId,
    origin: url.origin,
    now: Date.now(),
  });
  return result.ok ? result : data({ ...result, typed: keepTyped(form) }, { status: result.status });
}

async function requireMember(workspace: Parameters<typeof getMemberPage>[0], id: string) {
  const page = /^\d{1,15}$/.test(id) ? await getMemberPage(workspace, Number(id)) : null;
  if (!page) throw data("There is no such member.", { status: 404 });
  return page;
}

export default function MemberPage({ loaderData: { page, thing, explained }, actionData }: Route.ComponentProps) {
  const { member, isSelf, reasons, mayChange, isOwner } = page;
  const mayChangeThis = mayChange && (isOwner || member.role !== "owner");
  const removesFactors = member.hasPasskey ? "Remove second factor and passkeys" : "Turn off second factor";
  const done = actionData?.ok ? actionData.message : "";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title={member.name}
        trail={[
          { label: "Settings", to: "/settings" },
          { label: "Members", to: "/settings/members" },
        ]}
        description={`${member.email} · ${ROLE_WORDS[member.role].label}${member.removedAt === null ? "" : ", was removed"}${
          member.providers.length === 0 ? "" : ` · signs in with ${member.providers.map(({ name }) => name).join(", ")}`
        }`}
        actions={
          mayChangeThis &&
          !isSelf && (
            <>
              {isOwner && (
                <ButtonForm name="intent" value="reset" variant="quiet">
                  New password by link
                </ButtonForm>
              )}
              {isOwner && (member.hasSecondFactor || member.hasPasskey) && (
                <ConfirmDialog
                  title={`Let ${member.name} sign in with a password alone?`}
                  trigger={{ variant: "quiet", children: `${removesFactors}…` }}
                  explanation={
                    <p>
                      For somebody who has lost their phone, codes or passkeys. Their sessions end, and only they can
                      set up new ones.
                    </p>
                  }
                >
                  <ButtonForm name="intent" value="reset-factor" variant="danger">
                    {removesFactors}
                  </ButtonForm>
                </ConfirmDialog>
              )}
              {isOwner && member.providers.length > 0 && (
                <ConfirmDialog
                  title={`Disconnect ${member.name} from single sign-on?`}
                  trigger={{ variant: "quiet", children: "Disconnect…" }}
                  explanation={
                    <p>
                      For somebody whose account at the provider was made again. The next account there with the
                      verified address {member.email} becomes theirs. Role and teams stay, and no longer follow its
                      claims.
                    </p>
                  }
                >
                  <ButtonForm name="intent" value="disconnect" variant="danger">
                    Disconnect
                  </ButtonForm>
                </ConfirmDialog>
              )}
              <ButtonForm name="intent" value="remove" variant="quiet">
                Remove {member.name}
              </ButtonForm>
            </>
          )
        }
      />
      {actionData?.ok && actionData.link && (
        <SecretNotice title={actionData.message} label="Link" secret={actionData.link}>
          {null}
        </SecretNotice>
      )}
      {actionData && !(actionData.ok && actionData.link) && (
        <Notice
          tone={actionData.ok ? "done" : "error"}
          title={actionData.message}
          actions={
            actionData.ok &&
            actionData.undo !== null && (
              <ButtonForm name="intent" value="restore" size="sm" data-shortcut="u">
                Undo
              </ButtonForm>
            )
          }
        />
      )}
      {member.removedAt !== null && !actionData?.ok && (
        <Notice title={`${member.name} is no member any more, and sees nothing.`} />
      )}
      {mayChangeThis && !isSelf && (
        <KeptFocus>
          <RoleForm key={`role ${done}`} page={page} />
        </KeptFocus>
      )}
      {mayChangeThis && (
        <KeptFocus>
          <AccessForm key={`access ${done}`} page={page} />
        </KeptFocus>
      )}
      {isOwner && !isSelf && member.removedAt === null && (
        <AddressForm
          key={`address ${member.email}`}
          page={page}
          typed={actionData && !actionData.ok ? actionData.typed : null}
        />
      )}
      <AskWhy key={`why ${thing}`} name={member.name} thing={thing} explained={explained} />
      <WhyPanel
        title={`Projects of ${member.name}`}
        description={`${ROLE_WORDS[member.role].label}: ${ROLE_WORDS[member.role].may}`}
        reasons={reasons.map(({ slug, name, isSeen, sentences }) => ({
          key: slug,
          name,
          to: `/projects/${slug}/people`,
          isSeen,
          sentences,
        }))}
        empty="There is no project yet."
      />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.page.member.name ?? "Member"} · Culprit` }];
}

/** A link for a new password is shown once on this page, so the browser must not cache it. */
export function headers() {
  return { "cache-control": "no-store" };
}

export const handle = { section: "settings", prefetch: "static" };
