import { data, Form, useNavigation } from "react-router";
import { clientAddressContext, entranceContext } from "../../context.ts";
import { CHANNEL_ACT_WORDS, LINK_ACT_WORDS } from "../../domain/act-link.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { FormError } from "../../features/auth/form-error.tsx";
import { GoneLink } from "../../features/auth/gone-link.tsx";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import { actByLink, findAskedAct } from "../../features/notifications/act-by-link.server.ts";
import { useFaultEventId } from "../../sentry/fault-event-id.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/act.ts";

const GONE = "This link is over, or you do not see its issue any more.";

/** Only asks, because programs that check mails open every link in them. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const asked = await findAskedAct(context.get(entranceContext), params.token, Date.now());
  if (asked === null) throw data(GONE, { status: 404 });
  return asked;
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const result = await actByLink(context.get(entranceContext), {
    token: params.token,
    form: await request.formData(),
    clientAddress: context.get(clientAddressContext),
    now: Date.now(),
  });
  if (result === null) throw data(GONE, { status: 404 });
  return result.ok ? result : data(result, { status: result.status });
}

export default function ActPage({ loaderData, actionData }: Route.ComponentProps) {
  const { act, by, assignees, issue, isUsed } = loaderData;
  const isPending = useNavigation().state !== "idle";
  const done = actionData?.ok ? actionData : null;
  const words = (by.kind === "channel" ? CHANNEL_ACT_WORDS : LINK_ACT_WORDS)[act];
  const title = done ? done.message : isUsed ? "This link was used already" : words.question;
  return (
    <AuthPage title={title} intro={done || isUsed ? undefined : words.explanation}>
      <div className="grid gap-4">
        <div className="grid gap-1 text-sm">
          <p className="wrap-anywhere font-semibold text-base">{issue.title}</p>
          {issue.culprit && <p className="wrap-anywhere font-mono text-xs">{issue.culprit}</p>}
          <p className="text-muted text-xs">
            {issue.shortId} in {issue.project}
          </p>
        </div>
        {actionData && !actionData.ok && <FormError>{actionData.message}</FormError>}
        {done?.undo && (
          <Form method="post">
            <input type="hidden" name="undo" value={done.undo.text} />
            <input type="hidden" name="signature" value={done.undo.signature} />
            <Button type="submit" size="lg" isPending={isPending}>
              Undo
            </Button>
          </Form>
        )}
        {!done && !isUsed && (
          <Form method="post" className="grid gap-4">
            {by.kind === "channel" && act === "assign" && (
              <SelectField label="To" name="to" required defaultValue="">
                <option value="">Choose a member</option>
                {toOptions(assignees, ({ id, name }) => [`user:${id}`, name])}
              </SelectField>
            )}
            <Button type="submit" variant="primary" size="lg" isPending={isPending}>
              {words.label}
            </Button>
          </Form>
        )}
        <p className="text-muted text-xs">
          {by.kind === "channel" ? `As somebody who reads the channel ${by.name}.` : `As ${by.name}.`}{" "}
          <TextLink to={`/issues/${issue.id}`}>Open the issue in Culprit</TextLink>
        </p>
      </div>
    </AuthPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <GoneLink error={error} eventId={useFaultEventId(error)}>
      <TextLink to="/issues">Open Culprit</TextLink> to act there.
    </GoneLink>
  );
}

/** The address is a secret: it goes into no cache and no index, and is not sent to other sites. */
export function headers(sent: Route.HeadersArgs) {
  return toSecretLinkHeaders(sent, { referrerPolicy: "same-origin" });
}

export function meta() {
  return [{ title: "Act on an issue · Culprit" }];
}
