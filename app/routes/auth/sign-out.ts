import { redirect } from "react-router";
import { entranceContext } from "../../context.ts";
import { endSession } from "../../features/auth/session.server.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out changes something, so a link or a prefetch must not do it. */
export function loader() {
  throw redirect("/sign-in");
}

export async function action({ context, request }: Route.ActionArgs) {
  const cookie = await endSession(context.get(entranceContext).people, request);
  return redirect("/sign-in", { headers: { "set-cookie": cookie } });
}
