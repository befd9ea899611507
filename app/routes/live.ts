import { entranceContext, workspaceContext } from "../context.ts";
import { takeBrowserPlace } from "../features/live/browser-places.server.ts";
import { endWithRights } from "../features/live/end-with-rights.server.ts";
import { openLiveStream, refuseLiveStream } from "../features/live/open-live-stream.server.ts";
import { refuseDataRequest } from "../features/live/refuse-data-request.server.ts";
import { toEventStream } from "../features/live/to-event-stream.ts";
import type { Route } from "./+types/live.ts";

/** Server-sent events for open pages. A refusal is a status and not a redirect, because no page is shown from here. */
export async function loader({ context, request }: Route.LoaderArgs) {
  refuseDataRequest(request);
  const leavePlace = await takeBrowserPlace(request);
  if (leavePlace === null) return toEventStream(refuseLiveStream());
  const workspace = context.get(workspaceContext);
  const { signal, end } = endWithRights(context.get(entranceContext), workspace, request);
  signal.addEventListener("abort", leavePlace, { once: true });
  const stream = openLiveStream(workspace, signal);
  if (stream !== null) return toEventStream(stream, end);
  end();
  return new Response("You have too many pages open that watch.\n", {
    status: 429,
    headers: { "retry-after": "60" },
  });
}
