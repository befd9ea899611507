import { workspaceContext } from "../context.ts";
import { openLiveStream } from "../features/live/open-live-stream.server.ts";
import type { Route } from "./+types/live.ts";

/** Server-sent events for pages that watch. Refuses with a status rather than a redirect: no page is shown from here. */
export function loader({ context, request }: Route.LoaderArgs) {
  return new Response(openLiveStream(context.get(workspaceContext), request.signal), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      // Tells nginx not to collect the stream before it sends it on.
      "x-accel-buffering": "no",
    },
  });
}
