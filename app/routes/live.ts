import { entranceContext, workspaceContext } from "../context.ts";
import { endWithRights } from "../features/live/end-with-rights.server.ts";
import { openLiveStream } from "../features/live/open-live-stream.server.ts";
import type { Route } from "./+types/live.ts";

/** Server-sent events for pages that watch. Refuses with a status rather than a redirect: no page is shown from here. */
export function loader({ context, request }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const stream = openLiveStream(workspace, endWithRights(context.get(entranceContext), workspace, request));
  if (stream === null)
    return new Response("You have too many pages open that watch.\n", {
      status: 429,
      headers: { "retry-after": "60" },
    });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      // Tells nginx not to collect the stream before it sends it on.
      "x-accel-buffering": "no",
    },
  });
}
