import { entranceContext, workspaceContext } from "../../context.ts";
import { endWithRights } from "../../features/live/end-with-rights.server.ts";
import { parseLogFilters } from "../../features/logs/log-filters.ts";
import { openLogTail } from "../../features/logs/open-log-tail.server.ts";
import type { Route } from "./+types/tail.ts";

/** New log lines as server-sent events. Refuses with a status rather than a redirect: no page is shown from here. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const stream = await openLogTail(workspace, {
    filters: parseLogFilters(url.searchParams),
    from: request.headers.get("last-event-id") ?? url.searchParams.get("from"),
    now: Date.now(),
    signal: endWithRights(context.get(entranceContext), workspace, request),
  });
  if (stream === null) return new Response("The search is not understood.\n", { status: 400 });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      // Tells nginx not to collect the stream before it sends it on.
      "x-accel-buffering": "no",
    },
  });
}
