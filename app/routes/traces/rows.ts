import { workspaceContext } from "../../context.ts";
import { listRowsOfTrace } from "../../features/traces/list-trace-rows.server.ts";
import { readTrace } from "../../features/traces/read-trace.server.ts";
import { readTraceId, readTraceOptions } from "../../features/traces/trace-options.ts";
import type { Route } from "./+types/rows.ts";

/** Rows of a waterfall from number `from` on, as JSON: what a page fetches while one scrolls. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const traceId = readTraceId(params.traceId);
  const options = readTraceOptions(url.searchParams);
  const trace = traceId && (await readTrace(context.get(workspaceContext), traceId, options));
  if (!trace) return new Response("There is no such trace.", { status: 404 });
  const from = Number(url.searchParams.get("from") ?? 0);
  if (!Number.isSafeInteger(from) || from < 0)
    return new Response("from is the number of a row, from 0 on.", { status: 400 });
  return Response.json(listRowsOfTrace(trace, options, from), { headers: { "cache-control": "private, no-store" } });
}
