import type { Workspace } from "../../access/workspace.ts";
import type { LogLine } from "../../domain/logs/log-line.ts";
import { allOf } from "../../domain/search/condition.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { toProjectSlugs } from "../../domain/traces/name-service.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import { findLogFilter } from "../logs/find-log-filter.server.ts";
import { toLogLine } from "../logs/log-line.server.ts";

const MAX_LINES = 50;
/**
 * Milliseconds, as for the first rows of any search. The lines may be anywhere in 70 minutes, and a busy machine takes longer to
 * reach them.
 */
const BUDGET_MS = 2_000;
/** The same time around the throw as the timeline reads. */
const BEFORE_MS = HOUR_MS;
const AFTER_MS = 10 * MINUTE_MS;
const MAX_SEARCH = 1_000;

export interface TraceLogs {
  /** Newest first. */
  lines: LogLine[];
  /** Whether there are more lines, or not all were searched. */
  isCut: boolean;
  /** The parts of the search that are not understood. Empty: all of it is. */
  problems: string[];
}

/** Log lines of an error's trace that match a search. The error must have a trace. */
export async function findTraceLogs(
  workspace: Workspace,
  { traceId, occurredAt, search, now }: { traceId: string; search: string; now: number } & Pick<EventRow, "occurredAt">,
): Promise<TraceLogs> {
  const { scope, events, state } = workspace;
  if (search.length > MAX_SEARCH)
    return { lines: [], isCut: false, problems: [`A search has at most ${MAX_SEARCH} characters.`] };
  const { where, errors, notes } = await findLogFilter(workspace, { search, scope, now });
  if (errors.length > 0) return { lines: [], isCut: false, problems: errors.map(({ message }) => message) };
  const ofTrace = {
    kind: "test",
    field: "traceId",
    isTag: false,
    isNegated: false,
    test: { kind: "in", values: [traceId] },
  } as const;
  const [page, projects] = await Promise.all([
    events.findLogs(
      {
        projectIds: scope.projectIds,
        from: occurredAt - BEFORE_MS,
        to: occurredAt + AFTER_MS,
        where: allOf([ofTrace, where]),
      },
      { limit: MAX_LINES, budgetMs: BUDGET_MS },
    ),
    state.projects.listProjects(scope),
  ]);
  const slugs = toProjectSlugs(projects);
  const lines = page.lines.map((row) => toLogLine(row, ["service"], slugs));
  return { lines, isCut: page.next !== null, problems: notes };
}
