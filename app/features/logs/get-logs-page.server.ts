import type { Workspace } from "../../access/workspace.ts";
import type { LogLine } from "../../domain/logs/log-line.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { LateLines, LogPlace, LogSummary } from "../../stores/events/logs.ts";
import { findUnknownAttributes } from "./find-unknown-attributes.server.ts";
import { getLogValues, type LogValues } from "./get-log-values.server.ts";
import { type AttributeFacet, listAttributeFacets } from "./list-attribute-facets.server.ts";
import { type LogFilters, toBucketMs, toLogTime } from "./log-filters.ts";
import { toLogLine } from "./log-line.server.ts";
import { readLogFilters } from "./read-log-filters.server.ts";
import { printTailPosition } from "./tail-position.ts";

const LINES_PER_PAGE = 100;
/**
 * Milliseconds. The lines are more urgent than the summary. If a search through attributes of many lines takes longer, the next
 * page continues it.
 */
const LINES_BUDGET_MS = 800;
const SUMMARY_BUDGET_MS = 1_200;
/** SDKs and collectors may keep lines for some seconds before they send them. */
const LATE_MS = MINUTE_MS;

export interface LogsPage {
  lines: LogLine[];
  next: LogPlace | null;
  /** See `LogPage`. */
  readUpTo: number | null;
  summary: LogSummary & { from: number; to: number; bucketMs: number };
  /**
   * Lines that are not in this list, whatever the search: they arrived in this range, but their own time is earlier. Empty for a
   * window.
   */
  late: LateLines;
  /** Values of attributes, counted over all lines of the range, whether they match or not. */
  attributes: AttributeFacet[];
  /** The values that the filters ask to count by. Null: none, or every line has its own value. */
  values: LogValues | null;
  /** Keys of attributes that can be chosen as columns. */
  attributeKeys: string[];
  projects: Array<{ slug: string; name: string }>;
  environments: string[];
  refusals: SearchError[];
  problems: string[];
  /** Why there are no lines: none is stored, the search is not understood, or none matches. Null: there are lines. */
  emptiness: "no-line" | "refused" | "no-match" | null;
  /** The position from which a live tail continues. */
  tailFrom: string;
}

/** The page of log lines for these filters. `now`: milliseconds since 1970. */
export async function getLogsPage(
  workspace: Workspace,
  { filters, now }: { filters: LogFilters; now: number },
): Promise<LogsPage> {
  const { events, logTail } = workspace;
  const { lineFilter, errors, problems, projects, scope, slugs } = await readLogFilters(workspace, { filters, now });
  const time = toLogTime(filters, now);
  const bucketMs = toBucketMs(time);
  const isRefused = errors.length > 0;
  const filter = { ...lineFilter, ...time };
  // Read before the lines: lines that arrive meanwhile are sent twice rather than not at all.
  const tailFrom = printTailPosition({ journalId: logTail.journalId, sequences: logTail.position(), at: now });
  const [page, summary, late, facets, environments, unknown, values] = await Promise.all([
    events.findLogs(filter, {
      limit: LINES_PER_PAGE,
      budgetMs: LINES_BUDGET_MS,
      ...(filters.before && { before: filters.before }),
    }),
    events.summarizeLogs(filter, { bucketMs, budgetMs: SUMMARY_BUDGET_MS }),
    filters.window
      ? { count: 0, earliest: null }
      : events.countLateLines(
          { projectIds: lineFilter.projectIds, environments: lineFilter.environments, from: time.from },
          LATE_MS,
        ),
    listAttributeFacets(workspace, { projectIds: scope.projectIds, ...time }),
    events.listEnvironments(scope.projectIds),
    isRefused ? [] : findUnknownAttributes(workspace, filter),
    isRefused || filters.by === null ? null : getLogValues(workspace, filter, filters.by),
  ]);
  const isEmpty = page.lines.length === 0 && page.next === null;
  const hasAny =
    !isEmpty ||
    (await events.findLogs({ projectIds: scope.projectIds, from: 0, to: time.to }, { limit: 1, budgetMs: 300 })).lines
      .length > 0;
  return {
    lines: page.lines.map((row) => toLogLine(row, filters.columns, slugs)),
    next: page.next,
    readUpTo: page.readUpTo,
    summary: { ...summary, ...time, bucketMs },
    late,
    ...facets,
    values,
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    environments,
    refusals: errors,
    problems: [...problems, ...unknown.map(({ message }) => message)],
    tailFrom,
    emptiness: isRefused ? "refused" : !isEmpty ? null : hasAny ? "no-match" : "no-line",
  };
}
