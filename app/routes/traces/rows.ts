import { workspaceContext } from "../../context.ts";
import { listRowsOfTrace } from "../../features/traces/list-trace-rows.server.ts";
import { readTrace } from "../../features/traces/read-trace.server.ts";
import { selectSpans } from "../../features/traces/select-spans.server.ts";
import { readTraceId, readTraceOptions } from "../../features/traces/trace-options.ts";
import type { Route } from "./+types/rows.ts";

/** Rows of a waterfall from number `row` on, as JSON. A page fetches them while somebody scrolls. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const traceId = readTraceId(params.traceId);
  const options = readTraceOptions(url.searchParams);
  const workspace = context.get(workspaceContext);
  const trace = traceId && (await readTrace(workspace, traceId, options));
  if (!trace) return new Response("There is no such trace.", { status: 404 });
  const from = Number(url.searchParams.get("row") ?? 0);
  if (!Number.isSafeInteger(from) || from < 0)
    return new Response("row is the number of a row, from 0 on.", { status: 400 });
  const selected = await selectSpans(workspace, trace, options);
  return Response.json(listRowsOfTrace(trace, selected, { from, spanKey: null }), {
    headers: { "cache-control": "private, no-store" },
  });
}
