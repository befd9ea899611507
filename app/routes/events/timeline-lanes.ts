import { workspaceContext } from "../../context.ts";
import { findTimelineEvent, readTimeline } from "../../features/timeline/read-timeline.server.ts";
import type { Route } from "./+types/timeline-lanes.ts";

/** What happened around an error, as JSON. The page fetches it after the error itself is shown. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const found = await findTimelineEvent(workspace, params.eventId);
  if (!found) return new Response("There is no such event.", { status: 404 });
  const timeline = await readTimeline(workspace, found, { isAsSent: false, now: Date.now() });
  return Response.json({ head: found.head, timeline }, { headers: { "cache-control": "private, no-store" } });
}
