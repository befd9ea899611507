import type { Level } from "../../domain/level.ts";
import { toLogSeverity } from "../../domain/logs/log-severity.ts";
import type { Deploy } from "../../domain/release.ts";
import { packRows } from "../../domain/timeline/pack-rows.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import type { TraceLog } from "../../stores/events/logs.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { toReleasePath } from "../releases/release-paths.ts";
import type { LaneReason, LaneState, TimelineItem, TimelineLane } from "./timeline.ts";

const MAX_BODY = 500;

type Missing = Exclude<LaneState, { kind: "present" }>;

const PLAIN = { level: null, isFailed: false, service: null, href: null, row: 0, toUs: null, note: "" } as const;

function toLane(
  kind: TimelineLane["kind"],
  name: string,
  items: TimelineItem[],
  missing: Missing,
  loss: LaneReason | null = null,
): TimelineLane {
  const state: LaneState = items.length > 0 ? { kind: "present" } : missing;
  const rowCount = Math.max(0, ...items.map(({ row }) => row)) + 1;
  return { id: kind, kind, name, service: null, state, loss, items, total: items.length, rowCount };
}

/** Deploys that are far away are at the edge, and words describe them. */
export function listDeploys(
  deploys: ReadonlyArray<Deploy & { version: string }>,
  toRelativeUs: (us: number) => number,
): TimelineLane {
  const items = deploys.map(({ id, version, environment, finishedAt }): TimelineItem => {
    const fromUs = toRelativeUs(finishedAt * 1000);
    const words = fromUs < 0 ? `${formatDuration(-fromUs)} before` : `${formatDuration(fromUs)} after`;
    return {
      ...PLAIN,
      key: `deploy ${id}`,
      fromUs,
      label: version,
      note: `${environment}, ${words}`,
      href: toReleasePath(version, "deploys"),
      facts: [["environment", environment]],
    };
  });
  return toLane("deploys", "Deploys", items, {
    kind: "not-sent",
    words: "None in the week before.",
    option: "sentry-cli releases deploys VERSION new -e ENV",
  });
}

const LOG_ROWS: readonly Level[] = ["fatal", "error", "warning", "info", "debug"];

function levelOf(severity: number): Level {
  const name = toLogSeverity(severity);
  return name === "trace" ? "debug" : name;
}

/** Log lines with a row for each severity that occurs, the most severe first. */
export function listLogLane(
  logs: readonly TraceLog[],
  {
    traceId,
    toRelativeUs,
    serviceOf,
    missing,
    loss,
  }: {
    traceId: string | null;
    toRelativeUs: (log: TraceLog) => number;
    serviceOf: (log: TraceLog) => string | null;
    missing: Missing;
    loss: LaneReason | null;
  },
): TimelineLane {
  const levels = new Set(logs.map(({ severity }) => levelOf(severity)));
  const rows = LOG_ROWS.filter((level) => levels.has(level));
  const items = logs.map((log, index): TimelineItem => {
    const level = levelOf(log.severity);
    return {
      ...PLAIN,
      key: `log ${index}`,
      fromUs: toRelativeUs(log),
      row: rows.indexOf(level),
      label: showTurns(log.body.slice(0, MAX_BODY)),
      note: log.logger ?? "",
      level,
      service: serviceOf(log),
      href: log.spanId ? `/traces/${traceId}?span=${log.spanId}` : `/traces/${traceId}?view=logs`,
      facts: [],
    };
  });
  return toLane("logs", "Logs", items, missing, loss);
}

/** The errors of the trace, including this one, by time. Each has its own row. */
export function listErrorLane(
  errors: readonly EventRow[],
  {
    eventId,
    toRelativeUs,
    serviceOf,
    slugOf,
  }: {
    eventId: string;
    toRelativeUs: (error: EventRow) => number;
    serviceOf: (error: EventRow) => string | null;
    slugOf: (projectId: number) => string;
  },
): TimelineLane {
  const items = errors
    .map((error): TimelineItem => {
      const isThis = error.eventId === eventId;
      return {
        ...PLAIN,
        key: `error ${error.eventId}`,
        fromUs: isThis ? 0 : toRelativeUs(error),
        label: error.title,
        note: isThis ? "this event" : slugOf(error.projectId),
        level: error.level,
        service: serviceOf(error),
        href: `/issues/${error.issueId}/events/${error.eventId}`,
        facts: [["project", slugOf(error.projectId)]],
        ...(isThis ? { isThis: true } : {}),
      };
    })
    .sort((a, b) => a.fromUs - b.fromUs || Number(a.isThis ?? false) - Number(b.isThis ?? false));
  // If there are many, the visible rows are those nearest to this error.
  const byRow =
    items.length <= MAX_ERROR_ROWS ? items : items.toSorted((a, b) => Math.abs(a.fromUs) - Math.abs(b.fromUs));
  for (const [row, item] of byRow.entries()) item.row = row;
  return toLane("errors", "Errors", items, { kind: "nothing", words: "None." });
}

/** Rows that are visible before the reader asks for all. */
const MAX_ERROR_ROWS = 8;

const FILE_WORDS: Readonly<Record<string, string>> = { user_report: "Report of a user", feedback: "Feedback" };

/** Data that was sent with the error: files, and user feedback. Null: there is none. */
export function listFileLane(items: readonly ItemRow[], toRelativeUs: (us: number) => number): TimelineLane | null {
  if (items.length === 0) return null;
  const marks = items.map((item): TimelineItem => {
    const words = FILE_WORDS[item.type];
    return {
      ...PLAIN,
      key: `file ${item.sequence} ${item.itemIndex}`,
      fromUs: toRelativeUs(item.occurredAt * 1000),
      label: words ?? item.name ?? "Attachment",
      note: words === undefined && item.contentBytes !== null ? formatBytes(item.contentBytes) : "",
      href:
        words === undefined && item.eventId ? `/attachments/${item.eventId}/${item.sequence}-${item.itemIndex}` : null,
      facts: [],
    };
  });
  const rows = packRows(marks);
  for (const [at, mark] of marks.entries()) mark.row = rows[at] as number;
  return toLane("files", "Feedback and files", marks, { kind: "nothing", words: "None." });
}

/** Reserved: recordings are stored but not played yet. */
export function toReplayLane(replayId: string | null, missing: Missing): TimelineLane {
  if (replayId === null) return toLane("replay", "Replay", [], missing);
  const words = `The SDK recorded replay ${replayId.slice(0, 8)}. This version keeps recordings and does not play them yet.`;
  return toLane("replay", "Replay", [], { kind: "not-kept", words });
}
