import { workspaceContext } from "../../context.ts";
import { findTraceLogs } from "../../features/timeline/find-trace-logs.server.ts";
import { findTimelineEvent } from "../../features/timeline/read-timeline.server.ts";
import type { Route } from "./+types/trace-logs.ts";

/** Log lines of the error's trace that `q` finds, as JSON. With it the error's page searches without being left. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const found = await findTimelineEvent(workspace, params.eventId);
  const traceId = found?.row.traceId;
  if (!found || !traceId) return new Response("There is no such event, or it names no trace.", { status: 404 });
  const { occurredAt } = found.row;
  const search = url.searchParams.get("q")?.trim() ?? "";
  const logs = await findTraceLogs(workspace, { traceId, occurredAt, search, now: Date.now() });
  return Response.json(logs, { headers: { "cache-control": "private, no-store" } });
}
