import { redirect, redirectDocument } from "react-router";
import { entranceContext, proxyIdentityContext, viewerContext } from "../../context.ts";
import { nameMember } from "../../domain/audit/audit-entry.ts";
import { toLocalPath } from "../../features/auth/require-viewer.server.ts";
import { endSession, isProxySession } from "../../features/auth/session.server.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out changes something, so a link or a prefetch must not do it. */
export function loader() {
  throw redirect("/sign-in");
}

/** `?to=` leads back to a page that another person should see, like an invitation. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const { people, audit, settings } = context.get(entranceContext);
  const isOfProxy = await isProxySession(people, { request, now: Date.now() });
  const cookie = await endSession(people, request);
  const viewer = context.get(viewerContext);
  if (viewer)
    await audit.note({ action: "session.end", target: { kind: "member", id: viewer.id, name: nameMember(viewer) } });
  const headers = { "set-cookie": cookie };
  const elsewhere = isOfProxy ? settings.proxySignIn?.signOutUrl : null;
  if (elsewhere) return redirectDocument(elsewhere, { headers });
  if (url.searchParams.has("to")) return redirect(toLocalPath(url.searchParams.get("to")), { headers });
  // If a proxy names the person, the sign-in page would sign them in again at once without `asked`.
  return redirect(context.get(proxyIdentityContext) ? "/sign-in?asked=1" : "/sign-in", { headers });
}
