import type { Workspace } from "../../access/workspace.ts";
import type { LogFilters } from "./log-filters.ts";
import { toLogTime } from "./log-filters.ts";
import { toLogLine } from "./log-line.server.ts";
import type { LinesPage } from "./log-list.ts";
import { readLogFilters } from "./read-log-filters.server.ts";

const LINES_AT_ONCE = 200;
const BUDGET_MS = 800;

/** The lines before a place, for a list that continues. Empty if the search is not understood. `now`: milliseconds since 1970. */
export async function getOlderLines(
  workspace: Pick<Workspace, "state" | "scope" | "events">,
  { filters, now }: { filters: LogFilters; now: number },
): Promise<LinesPage> {
  const { lineFilter, slugs } = await readLogFilters(workspace, { filters, now });
  const { lines, next, readUpTo } = await workspace.events.findLogs(
    { ...lineFilter, ...toLogTime(filters, now) },
    { limit: LINES_AT_ONCE, budgetMs: BUDGET_MS, ...(filters.before && { before: filters.before }) },
  );
  return { lines: lines.map((row) => toLogLine(row, filters.columns, slugs)), next, readUpTo };
}
