import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { changeInvitationsByForm } from "../../features/people/change-invitations-form.server.ts";
import { InvitationList, InviteForm, UndoRevocation } from "../../features/people/invitation-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SecretNotice } from "../../ui/secret-notice.tsx";
import type { Route } from "./+types/invitations.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { state, scope, user, notifications } = context.get(workspaceContext);
  const [invitations, teams, projects] = await Promise.all([
    state.invitations.listInvitations(scope, Date.now()),
    state.members.listTeams(scope),
    state.projects.listProjects(scope),
  ]);
  return {
    invitations,
    teams: teams.map(({ id, name }) => ({ id, name })),
    projects: projects.map(({ id, name }) => ({ id, name })),
    isOwner: user?.role === "owner",
    mailFrom: notifications.mailFrom,
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const options = { form, origin: url.origin, now: Date.now() };
  const result = await changeInvitationsByForm(context.get(workspaceContext), options);
  return result.ok ? result : data({ ...result, typed: keepTyped(form) }, { status: result.status });
}

export default function InvitationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { invitations, teams, projects, isOwner, mailFrom } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const made = actionData?.ok ? actionData.made : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Invitations" trail={[{ label: "Settings", to: "/settings" }]} />
      {actionData?.ok && made && (
        <SecretNotice title={actionData.message} label="Link" secret={made.url}>
          {null}
        </SecretNotice>
      )}
      {actionData?.ok && !made && (
        <Notice
          tone="done"
          title={actionData.message}
          actions={actionData.revoked !== null && <UndoRevocation invitationId={actionData.revoked} />}
        />
      )}
      {refusal && (refusal.field === null || refusal.field === "intent") && (
        <Notice tone="error" title={refusal.message} />
      )}
      <InvitationList invitations={invitations} teams={teams} projects={projects} />
      {/* The form is empty again after each invitation. */}
      <InviteForm
        key={made?.url ?? ""}
        teams={teams}
        projects={projects}
        isOwner={isOwner}
        mailFrom={mailFrom}
        typed={refusal?.typed ?? null}
        error={error}
      />
    </div>
  );
}

export function meta() {
  return [{ title: "Invitations · Culprit" }];
}

/** A link is shown once on this page, so the browser must not cache it. */
export function headers() {
  return { "cache-control": "no-store" };
}

export const handle = { section: "settings", prefetch: "static" };
