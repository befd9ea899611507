import { workspaceContext } from "../../context.ts";
import { toShownImageType } from "../../domain/image-type.ts";
import { openAttachment } from "../../features/events/get-attachment.server.ts";
import type { Route } from "./+types/attachment.ts";

/**
 * Sends a file as a download, because files of applications must not run on this origin. With `?view` the browser shows an image, if its
 * bytes are those of an image. Everything else is still a download.
 */
export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const attachment = await openAttachment(context.get(workspaceContext), params, request);
  if (!attachment)
    return new Response("There is no such attachment.\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  const { name, bytes, body, status, headers } = attachment;
  const imageType = url.searchParams.has("view") ? toShownImageType(bytes) : null;
  const fileName = `filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", "%27")}`;
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "content-type": imageType ?? "application/octet-stream",
      "content-disposition": `${imageType === null ? "attachment" : "inline"}; ${fileName}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}
