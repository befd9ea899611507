import { data, Form, useNavigation } from "react-router";
import { entranceContext, viewerContext } from "../../context.ts";
import { changePassword } from "../../features/auth/change-password.server.ts";
import { BUSY_MESSAGE, MIN_PASSWORD_LENGTH } from "../../features/auth/credential-limits.ts";
import { requireViewer } from "../../features/auth/require-viewer.server.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/account.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const { settings } = context.get(entranceContext);
  return {
    viewer: { name: viewer.name, email: viewer.email, role: viewer.role },
    server: {
      version: settings.version,
      commit: settings.commit,
      retentionDays: settings.retentionDays,
      publicUrl: settings.publicUrl ?? url.origin,
    },
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const form = await request.formData();
  const result = await changePassword(context.get(entranceContext), {
    viewer,
    current: String(form.get("current") ?? ""),
    next: String(form.get("next") ?? ""),
    request,
  });
  if (result.ok) return { isChanged: true, errors: {} };
  if (result.reason === "invalid") return data({ isChanged: false, errors: result.errors }, { status: 400 });
  return data(
    { isChanged: false, errors: { current: BUSY_MESSAGE } },
    { status: 429, headers: { "retry-after": String(result.retryAfterSeconds) } },
  );
}

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { viewer, server } = loaderData;
  const errors: { current?: string; next?: string } = actionData?.errors ?? {};
  const isPending = useNavigation().formMethod === "POST";
  return (
    <div className="grid max-w-[56rem] gap-4">
      <PageHeader
        title="Settings"
        actions={
          <>
            <LinkButton to="/settings/jobs">Background jobs</LinkButton>
            <LinkButton to="/settings/repositories">Repositories</LinkButton>
            <LinkButton to="/settings/tokens">Tokens</LinkButton>
          </>
        }
      />
      {actionData?.isChanged && (
        <Notice tone="done" title="Your password is changed, and you are signed out everywhere else." />
      )}
      <Panel title="You">
        <KeyValueList
          isMono={false}
          pairs={[
            { key: "Name", value: viewer.name },
            { key: "E-mail", value: viewer.email },
            { key: "Role", value: viewer.role === "owner" ? "Owner of this server" : "Member" },
          ]}
        />
      </Panel>
      <Panel title="Password">
        <Form method="post" className="grid max-w-form gap-4" key={actionData?.isChanged ? "changed" : "unchanged"}>
          <input type="hidden" name="username" autoComplete="username" value={viewer.email} readOnly />
          <TextField
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            required
            error={errors.current}
          />
          <TextField
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
            error={errors.next}
          />
          <div>
            <Button type="submit" variant="primary" isPending={isPending}>
              Change password
            </Button>
          </div>
        </Form>
      </Panel>
      <Panel title="This server" description="Set by environment variables; the README lists them.">
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

/** `Retry-After` goes out with the page, too. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: "Settings · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
