import { stripVTControlCharacters } from "node:util";
import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { toTraceSpans } from "../../domain/traces/trace-spans.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import { toEventId } from "../events/event-id.ts";
import { assembleTimeline } from "./assemble-timeline.ts";
import type { Timeline, TimelineHead } from "./timeline.ts";

/** Nothing farther away from the throw is read. */
const BEFORE_MS = HOUR_MS;
const AFTER_MS = 10 * MINUTE_MS;
/** The highest number of items of each kind: those nearest to the throw; for errors, the newest. */
const MAX_SPANS = 3_000;
const MAX_LOGS = 500;
const MAX_ERRORS = 100;
const MAX_ITEMS = 100;
const DEPLOYS_WITHIN_MS = 7 * DAY_MS;
const MAX_DEPLOYS = 20;

/** An error, and the names that its timeline needs. */
export interface TimelineEvent {
  row: EventRow;
  head: TimelineHead;
  /** Slugs of all projects in the scope, by id. */
  slugs: ReadonlyMap<number, string>;
}

/** Reads the error itself. Null: the scope has no such event. */
export async function findTimelineEvent(workspace: Workspace, eventId: string): Promise<TimelineEvent | null> {
  const { events, state, scope } = workspace;
  const id = toEventId(eventId);
  const row = id === null ? null : await events.getEvent(id, scope.projectIds);
  if (row === null) return null;
  const [issue, projects] = await Promise.all([
    state.issues.getIssue(scope, row.issueId),
    state.projects.listProjects(scope),
  ]);
  const slugs = new Map(projects.map((project) => [project.id, project.slug]));
  const head: TimelineHead = {
    eventId: row.eventId,
    issueId: issue?.id ?? row.issueId,
    shortId: issue?.shortId ?? null,
    title: row.title,
    level: row.level,
    projectSlug: slugs.get(row.projectId) ?? "",
    traceId: row.traceId,
    occurredAt: row.occurredAt,
  };
  return { row, head, slugs };
}

/** Reads everything in the scope around an error: its payload, and six queries of the stores at once. */
export async function readTimeline(
  workspace: Workspace,
  { row, slugs }: Pick<TimelineEvent, "row" | "slugs">,
  { isAsSent, now }: { isAsSent: boolean; now: number },
): Promise<Timeline> {
  const { events, state, scope, payloads } = workspace;
  const { traceId, occurredAt } = row;
  const own = narrowScope(scope, [row.projectId]);
  const trace = traceId === null ? null : { projectIds: scope.projectIds, traceId };
  const from = occurredAt - BEFORE_MS;
  const to = occurredAt + AFTER_MS;
  const near = { atUs: occurredAt * 1000, fromUs: from * 1000, toUs: to * 1000 };
  const [stored, spans, logs, errors, items, deploys, ledger] = await Promise.all([
    payloads.readEvent(row.payload),
    trace ? events.readTraceSpans({ ...trace, near, limit: MAX_SPANS + 1 }) : toTraceSpans(0, []),
    trace ? events.listTraceLogs({ ...trace, near, limit: MAX_LOGS + 1 }) : [],
    trace ? events.listEvents({ ...trace, from, to }, { limit: MAX_ERRORS, cursor: null }) : null,
    events.listItems({
      projectIds: own.projectIds,
      eventId: row.eventId,
      types: ["attachment", "user_report", "feedback"],
      limit: MAX_ITEMS + 1,
    }),
    state.releases.listDeploysBetween(own, occurredAt - DEPLOYS_WITHIN_MS, to),
    state.outcomes.sumOutcomes(own, {
      from: row.receivedAt - MINUTE_MS,
      to: row.receivedAt + MINUTE_MS,
      bucketMs: null,
      groupBy: ["outcome", "reason", "category", "project"],
      categories: ["span", "transaction", "log_item", "replay"],
    }),
  ]);
  const others = (errors?.events ?? []).filter(({ eventId }) => eventId !== row.eventId);
  const leftOut: string[] = [];
  if (spans.count > MAX_SPANS)
    leftOut.push(`Only the ${MAX_SPANS.toLocaleString("en")} spans nearest to the throw are read.`);
  if (logs.length > MAX_LOGS) leftOut.push(`Only the ${MAX_LOGS} log lines nearest to the throw are read.`);
  if (errors?.nextCursor) leftOut.push(`Only the newest ${MAX_ERRORS} errors of the trace are read.`);
  if (items.length > MAX_ITEMS) leftOut.push(`Only the first ${MAX_ITEMS} files and messages of the event are read.`);
  return assembleTimeline({
    row,
    event: stored?.event ?? null,
    isDamaged: stored === null && (await payloads.isEventDamaged(row.payload)),
    spans,
    logs: logs.slice(0, MAX_LOGS).map((log) => ({ ...log, body: stripVTControlCharacters(log.body) })),
    errors: [...others, row],
    items: items.slice(0, MAX_ITEMS),
    deploys: deploys.slice(-MAX_DEPLOYS),
    ledger,
    slugs,
    retention: workspace.settings.retention,
    leftOut,
    isAsSent,
    now,
  });
}
