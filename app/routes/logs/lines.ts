import { workspaceContext } from "../../context.ts";
import { getOlderLines } from "../../features/logs/get-older-lines.server.ts";
import { parseLogFilters } from "../../features/logs/log-filters.ts";
import type { Route } from "./+types/lines.ts";

/** Older lines, as JSON. A refusal is a status and not a redirect, because no page is shown from here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseLogFilters(url.searchParams);
  const page = await getOlderLines(context.get(workspaceContext), { filters, now: Date.now() });
  return Response.json(page, { headers: { "cache-control": "no-store" } });
}
