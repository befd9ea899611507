import { redirect } from "react-router";
import { clientAddressContext, entranceContext, viewerContext } from "../../context.ts";
import { beginPasskey } from "../../features/passkeys/begin-passkey.server.ts";
import type { Route } from "./+types/passkey.ts";

// The scripts of the sign-in and of the settings get from here what the browser needs to use or to make a passkey.

export function loader() {
  throw redirect("/sign-in");
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const begun = await beginPasskey(context.get(entranceContext), {
    viewer: context.get(viewerContext),
    form: await request.formData(),
    request,
    origin: url.origin,
    clientAddress: context.get(clientAddressContext),
    isSecure: url.protocol === "https:",
    now: Date.now(),
  });
  if (begun.ok) {
    const cookies = begun.setCookies.map((cookie): [string, string] => ["set-cookie", cookie]);
    return Response.json(begun.options, { headers: [["cache-control", "no-store"], ...cookies] });
  }
  const { status, field, message, retryAfter } = begun;
  const headers = retryAfter === null ? undefined : { "retry-after": String(retryAfter) };
  return Response.json({ field, message }, { status, ...(headers && { headers }) });
}
