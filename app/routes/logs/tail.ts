import { entranceContext, workspaceContext } from "../../context.ts";
import { takeBrowserPlace } from "../../features/live/browser-places.server.ts";
import { endWithRights } from "../../features/live/end-with-rights.server.ts";
import { openLiveStream } from "../../features/live/open-live-stream.server.ts";
import { refuseDataRequest } from "../../features/live/refuse-data-request.server.ts";
import { toEventStream } from "../../features/live/to-event-stream.ts";
import { parseLogFilters } from "../../features/logs/log-filters.ts";
import { openLogTail, refuseLogTail } from "../../features/logs/open-log-tail.server.ts";
import type { Route } from "./+types/tail.ts";

/** New log lines as server-sent events. A refusal is a status and not a redirect, because no page is shown from here. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  refuseDataRequest(request);
  const leavePlace = await takeBrowserPlace(request);
  if (leavePlace === null) return toEventStream(refuseLogTail());
  const workspace = context.get(workspaceContext);
  const { signal, end } = endWithRights(context.get(entranceContext), workspace, request);
  signal.addEventListener("abort", leavePlace, { once: true });
  const stream = await openLogTail(workspace, {
    filters: parseLogFilters(url.searchParams),
    from: request.headers.get("last-event-id") ?? url.searchParams.get("from"),
    now: Date.now(),
    signal,
    // The stream can also bring the live feed. So a page needs no second connection, of which a browser has few over HTTP/1.1.
    openFeed: () => (url.searchParams.get("feed") === "1" ? openLiveStream(workspace, signal) : null),
  });
  if (stream !== null) return toEventStream(stream, end);
  end();
  return new Response("The search is not understood, or its projects are gone.\n", { status: 400 });
}
