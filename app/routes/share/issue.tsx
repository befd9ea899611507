import { data } from "react-router";
import { clientAddressContext, entranceContext } from "../../context.ts";
import { GoneLink } from "../../features/auth/gone-link.tsx";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import { toWaitMessage } from "../../features/auth/wait-message.ts";
import { getSharedIssue } from "../../features/issues/share-issue.server.ts";
import { SharedIssueView } from "../../features/issues/shared-issue-view.tsx";
import { useFaultEventId } from "../../sentry/fault-event-id.ts";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/issue.ts";

/** A page for everybody who has the link. A wrong link does not reveal whether there was a right one. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await getSharedIssue(context.get(entranceContext), {
    token: params.token,
    clientAddress: context.get(clientAddressContext),
    now: Date.now(),
  });
  if (found.ok) return { issue: found.issue, expiresAt: found.expiresAt };
  if (found.reason === "gone") throw data("This link is over, was ended, or never was.", { status: 404 });
  const { retryAfterSeconds } = found;
  const headers = { "retry-after": String(retryAfterSeconds) };
  throw data(toWaitMessage(retryAfterSeconds), { status: 429, headers });
}

export default function SharedIssuePage({ loaderData }: Route.ComponentProps) {
  return <SharedIssueView issue={loaderData.issue} expiresAt={loaderData.expiresAt} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <GoneLink error={error} eventId={useFaultEventId(error)}>
      Ask who sent it for a new one. You have an account? <TextLink to="/sign-in">Sign in</TextLink>.
    </GoneLink>
  );
}

/** The address is a secret: it goes into no cache and no index, and is not sent to other sites. */
export const headers: Route.HeadersFunction = toSecretLinkHeaders;

export function meta() {
  return [{ title: "Shared issue · Culprit" }];
}
