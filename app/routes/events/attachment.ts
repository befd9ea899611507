import { workspaceContext } from "../../context.ts";
import { getAttachment } from "../../features/events/get-attachment.server.ts";
import type { Route } from "./+types/attachment.ts";

/** Always a download, never shown by the browser: what applications attach is not to run on this origin. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const attachment = await getAttachment(context.get(workspaceContext), params);
  if (!attachment)
    return new Response("There is no such attachment.\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  return new Response(new Uint8Array(attachment.bytes), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(attachment.name).replaceAll("'", "%27")}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store",
    },
  });
}
