import { workspaceContext } from "../context.ts";
import { openLiveStream } from "../features/live/open-live-stream.server.ts";
import type { Route } from "./+types/live.ts";

/** Server-sent events for pages that watch. Refuses with a status rather than a redirect: no page is shown from here. */
export function loader({ context, request }: Route.LoaderArgs) {
  const stream = openLiveStream(context.get(workspaceContext), request.signal);
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
