import { data, redirect } from "react-router";
import { entranceContext, viewerContext, workspaceContext } from "../../context.ts";
import { NoPassword, PasswordForm, ProfileForm } from "../../features/auth/account-forms.tsx";
import { changeAccount } from "../../features/auth/change-account.server.ts";
import { listOwnSessions } from "../../features/auth/list-own-sessions.server.ts";
import { getPasswordState } from "../../features/auth/password-state.server.ts";
import { requireViewer } from "../../features/auth/require-viewer.server.ts";
import { SessionList } from "../../features/auth/session-list.tsx";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { getQuietHours } from "../../features/notifications/get-quiet-hours.server.ts";
import { QuietHoursPanel } from "../../features/notifications/quiet-hours-panel.tsx";
import { saveQuietHours, turnOffQuietHours } from "../../features/notifications/save-quiet-hours.server.ts";
import { removeMember } from "../../features/people/change-member.server.ts";
import { LeaveOrganization } from "../../features/people/leave-organization.tsx";
import { changeOwnReach } from "../../features/push/change-own-reach.server.ts";
import { getOwnReach } from "../../features/push/get-own-reach.server.ts";
import { ReachPanel } from "../../features/push/reach-panel.tsx";
import { Panel } from "../../ui/card.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/account.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const entrance = context.get(entranceContext);
  const { people, settings } = entrance;
  // The viewer is the person as they were when the request came. An action may have changed them.
  const current = (await people.getUser(viewer.id)) ?? viewer;
  const { name, email, role } = current;
  const now = Date.now();
  return {
    viewer: { name, email, role },
    hasNewAddress: url.searchParams.get("changed") === "address",
    password: await getPasswordState(entrance, current),
    organization: context.get(workspaceContext).organization.name,
    sessions: await listOwnSessions(people, { viewer, request, now }),
    reach: await getOwnReach(context.get(workspaceContext), viewer),
    quietHours: await getQuietHours(context.get(workspaceContext), { viewer, now }),
    server: {
      version: settings.version,
      commit: settings.commit,
      retentionDays: settings.retention.days,
      publicUrl: settings.publicUrl ?? url.origin,
    },
  };
}

/** With this manifest a phone can put Culprit on its home screen. iPhones have web push only there. */
export function links() {
  return [{ rel: "manifest", href: "/manifest.webmanifest" }];
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const form = await request.formData();
  if (form.get("intent") === "leave") {
    const left = await removeMember(context.get(workspaceContext), { userId: viewer.id, now: Date.now() });
    if (left.ok) return redirect("/sign-in?changed=left");
    return data({ ok: false as const, field: null, message: left.message, typed: null }, { status: left.status });
  }
  if (form.get("intent") === "quiet-hours" || form.get("intent") === "quiet-hours-off") {
    const workspace = context.get(workspaceContext);
    const saved =
      form.get("intent") === "quiet-hours"
        ? await saveQuietHours(workspace, { viewer, form })
        : await turnOffQuietHours(workspace, { viewer });
    return saved.ok ? saved : data({ ...saved, typed: null }, { status: saved.status });
  }
  const userAgent = request.headers.get("user-agent");
  const reached = await changeOwnReach(context.get(workspaceContext), { viewer, form, userAgent, now: Date.now() });
  if (reached !== null) return reached.ok ? reached : data({ ...reached, typed: null }, { status: reached.status });
  const result = await changeAccount(context.get(entranceContext), { viewer, form, request, now: Date.now() });
  if (result.ok) return result;
  const headers = result.retryAfter === null ? undefined : { "retry-after": String(result.retryAfter) };
  return data({ ...result, typed: keepTyped(form) }, { status: result.status, ...(headers && { headers }) });
}

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { viewer, password, organization, sessions, reach, quietHours, server } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const done = actionData?.ok ? actionData.done : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Settings" />
      {loaderData.hasNewAddress && !actionData && (
        <Notice tone="done" title={`Your address is changed. You sign in with ${viewer.email}.`} />
      )}
      {done && <Notice tone={actionData && "isBad" in actionData ? "error" : "done"} title={done} />}
      {refusal && (refusal.field === null || refusal.field === "intent") && (
        <Notice tone="error" title={refusal.message} />
      )}
      {/* The answer to a form comes before the data that it changed. So the fields begin again with each of the two. */}
      <KeptFocus>
        <ProfileForm
          key={`${viewer.name} ${viewer.email} ${done ?? ""}`}
          viewer={viewer}
          hasPassword={password.kind === "has"}
          typed={refusal?.typed ?? null}
          error={error}
        />
      </KeptFocus>
      <KeptFocus>
        {password.kind === "has" ? (
          <PasswordForm key={`password ${done ?? ""}`} email={viewer.email} error={error} />
        ) : (
          <NoPassword state={password} />
        )}
      </KeptFocus>
      {/* Checks this browser again when it was added or removed. */}
      <KeptFocus>
        <ReachPanel
          key={reach.browsers.map(({ id }) => id).join()}
          view={reach}
          error={error?.field === "push" ? error.message : null}
          timezoneError={error?.field === "mail-timezone" ? error.message : null}
        />
      </KeptFocus>
      <KeptFocus>
        <QuietHoursPanel key={JSON.stringify(quietHours.hours)} view={quietHours} error={error} />
      </KeptFocus>
      <SessionList sessions={sessions} />
      <LeaveOrganization name={organization} />
      <Panel
        title="This server"
        description="Environment variables set these values. docs/configuration.md lists them."
      >
        <KeyValueList
          pairs={[
            { key: "Version", value: server.version },
            { key: "Commit", value: server.commit },
            { key: "Address", value: server.publicUrl },
            { key: "Retention", value: `${server.retentionDays} days` },
          ]}
        />
      </Panel>
    </div>
  );
}

/** The answer with the page also has `Retry-After`. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: "Settings · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
