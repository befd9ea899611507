import { redirect } from "react-router";
import { entranceContext, viewerContext } from "../../context.ts";
import { nameMember } from "../../domain/audit/audit-entry.ts";
import { endSession } from "../../features/auth/session.server.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out changes something, so a link or a prefetch must not do it. */
export function loader() {
  throw redirect("/sign-in");
}

export async function action({ context, request }: Route.ActionArgs) {
  const { people, audit } = context.get(entranceContext);
  const cookie = await endSession(people, request);
  const viewer = context.get(viewerContext);
  if (viewer)
    await audit.note({ action: "session.end", target: { kind: "member", id: viewer.id, name: nameMember(viewer) } });
  return redirect("/sign-in", { headers: { "set-cookie": cookie } });
}
