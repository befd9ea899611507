import type { Workspace } from "../../access/workspace.ts";
import type { LogLine } from "../../domain/logs/log-line.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { LogFilter, StoredLog } from "../../stores/events/logs.ts";
import type { LogAround } from "./log-filters.ts";
import { toLogLine, toLogPairs } from "./log-line.server.ts";
import { showLogText } from "./show-log-text.server.ts";

const LINES_EACH_SIDE = 10;
/** Milliseconds. Lines farther away are not shown. */
const NEAR_MS = 10 * MINUTE_MS;
const BUDGET_MS = 500;
const MAX_ISSUES = 3;
/** Errors of the line's trace that are read. The nearest of them are shown. */
const MAX_ERRORS = 50;
/** Characters. A link cannot search for a longer value. */
const MAX_SEARCHED = 200;

/** A line with all its details. */
export interface OpenLine {
  line: LogLine;
  /** When it was written according to its sender, in microseconds since 1970. Null: that time was not changed. */
  sentUs: number | null;
  /** The whole text. */
  body: string;
  /** Values by the keys of the search. `value`: the value for a search. Null: it is too long for one. */
  pairs: Array<{ key: string; text: string; value: string | null }>;
  projectSlug: string;
  traceId: string | null;
  spanId: string | null;
  /** Errors of the same trace, one for each issue, the nearest first. */
  issues: Array<{ issueId: number; eventId: string; title: string }>;
  /** The lines before it, the line itself, and those after it, oldest first. */
  around: LogLine[];
}

/** Null: there is no such line, or no longer. */
export async function getOpenLine(
  { events, state, scope }: Pick<Workspace, "events" | "state" | "scope">,
  { id, around }: { id: string; around: LogAround },
): Promise<OpenLine | null> {
  const row = await events.getLog(scope.projectIds, id);
  if (row === null) return null;
  const atMs = row.occurredUs / 1000;
  const near: LogFilter = {
    projectIds: around === "trace" ? scope.projectIds : narrowScope(scope, [row.projectId]).projectIds,
    from: atMs - NEAR_MS,
    to: atMs + NEAR_MS,
    where: toNear(row, around),
  };
  const page = { limit: LINES_EACH_SIDE, budgetMs: BUDGET_MS };
  const [before, after, project, errors] = await Promise.all([
    events.findLogs(near, { ...page, before: row }),
    events.findLogs(near, { ...page, after: row }),
    state.projects.getProject(scope, row.projectId),
    row.traceId === null
      ? null
      : events.listEvents(
          { projectIds: scope.projectIds, traceId: row.traceId, from: null, to: null },
          { limit: MAX_ERRORS, cursor: null },
        ),
  ]);
  return {
    line: toLogLine(row, []),
    sentUs: row.shiftUs ? row.occurredUs - row.shiftUs : null,
    body: showLogText(row.body),
    pairs: toLogPairs(row).map(({ key, value }) => ({
      key,
      text: showLogText(value),
      value: value.length <= MAX_SEARCHED ? value : null,
    })),
    projectSlug: project?.slug ?? "",
    traceId: row.traceId,
    spanId: row.spanId,
    issues: pickNearest(errors?.events ?? [], atMs).map(({ issueId, eventId, title }) => ({
      issueId,
      eventId,
      title: showTurns(title),
    })),
    around: [...before.lines.toReversed(), row, ...after.lines].map((each) => toLogLine(each, [])),
  };
}

function pickNearest(errors: readonly EventRow[], atMs: number): EventRow[] {
  const distance = ({ occurredAt }: EventRow) => Math.abs(occurredAt - atMs);
  const seen = new Set<number>();
  return errors
    .toSorted((a, b) => distance(a) - distance(b))
    .filter(({ issueId }) => !seen.has(issueId) && seen.add(issueId))
    .slice(0, MAX_ISSUES);
}

/** The condition for the lines around. For a service without a host, it covers the whole service. */
function toNear({ traceId, service, serverAddress }: StoredLog, around: LogAround): Condition {
  if (around === "all") return { kind: "all", parts: [] };
  const wanted: Array<[field: string, value: string | null]> =
    around === "trace"
      ? [["traceId", traceId]]
      : [
          ["service", service],
          ["serverAddress", serverAddress],
        ];
  return {
    kind: "all",
    parts: wanted.flatMap(([field, value]) =>
      value === null
        ? []
        : {
            kind: "test" as const,
            field,
            isTag: false,
            isNegated: false,
            test: { kind: "in" as const, values: [value] },
          },
    ),
  };
}
