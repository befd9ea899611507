import { data } from "react-router";
import { clientAddressContext, entranceContext } from "../../context.ts";
import { GoneLink } from "../../features/auth/gone-link.tsx";
import { toWaitMessage } from "../../features/auth/wait-message.ts";
import { getPublicStatus, STATUS_KEPT_SECONDS } from "../../features/uptime/get-public-status.server.ts";
import { PublicStatusView } from "../../features/uptime/public-status-view.tsx";
import "../../features/uptime/uptime.css";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import { useFaultEventId } from "../../sentry/fault-event-id.ts";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/status.ts";

/** A page for everybody who has the address. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await getPublicStatus(context.get(entranceContext), {
    slug: params.page,
    clientAddress: context.get(clientAddressContext),
    now: Date.now(),
  });
  // The cookie of the theme changes the page. Strangers have none, and share one answer.
  const shared = { "cache-control": `public, max-age=${STATUS_KEPT_SECONDS}`, vary: "cookie" };
  if (found.ok) return data({ status: found.status }, { headers: shared });
  if (found.reason === "gone") throw data("There is no such page, or it was taken down.", { status: 404 });
  const { retryAfterSeconds } = found;
  throw data(toWaitMessage(retryAfterSeconds), { status: 429, headers: { "retry-after": String(retryAfterSeconds) } });
}

export default function StatusPage({ loaderData }: Route.ComponentProps) {
  return <PublicStatusView status={loaderData.status} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <GoneLink error={error} eventId={useFaultEventId(error)}>
      You have an account? <TextLink to="/sign-in">Sign in</TextLink>.
    </GoneLink>
  );
}

/** Nobody should be able to guess the address. So no search engine lists it, and it is not sent to other sites. */
export function headers(sent: Route.HeadersArgs) {
  return toSecretLinkHeaders(sent, { mayBeCached: true });
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.status.title ?? "Not found"} · Status` }];
}
