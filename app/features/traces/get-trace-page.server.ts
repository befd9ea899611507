import type { Workspace } from "../../access/workspace.ts";
import type { Level } from "../../domain/level.ts";
import { toNameGroup } from "../../domain/spans/name-group.ts";
import type { ClockSkew } from "../../domain/traces/clock-skew.ts";
import { type SpanStatistics, summarizeSpans } from "../../domain/traces/span-statistics.ts";
import { kindOf } from "../../domain/traces/trace-spans.ts";
import { getSpan, type SpanDetail } from "./get-span.server.ts";
import { listRowsOfTrace } from "./list-trace-rows.server.ts";
import { drawMinimap } from "./minimap.server.ts";
import type { MinimapLine } from "./minimap-line.ts";
import { MAX_TRACE_LOGS, MAX_TRACE_SPANS, type ReadTrace, readTrace, type TraceService } from "./read-trace.server.ts";
import { readTraceOptions, type TraceOptions } from "./trace-options.ts";
import type { TraceRowsWindow } from "./trace-rows-view.ts";

const MAX_STATISTICS = 300;

export interface TracePage {
  traceId: string;
  options: TraceOptions;
  /** The first root, or the first orphan; null: no span arrived. */
  root: { op: string | null; name: string | null } | null;
  /** Microseconds since 1970; null: no span arrived. */
  startedUs: number | null;
  durationUs: number;
  spanCount: number;
  rootCount: number;
  orphanCount: number;
  /** How many spans are read at most, where there are more. */
  cutAt: number | null;
  services: TraceService[];
  skews: ClockSkew[];
  errors: TraceError[];
  logCount: number;
  /** Whether there are more log lines than are read. */
  areLogsCut: boolean;
  content: TraceContent;
  span: SpanDetail | null;
}

export interface TraceError {
  eventId: string;
  issueId: number;
  title: string;
  level: Level;
  spanId: string | null;
  /** Microseconds since the trace began. */
  atUs: number;
  project: string;
}

export interface TraceLogLine {
  key: string;
  /** Microseconds since the trace began. */
  atUs: number;
  level: Level;
  body: string;
  service: string | null;
  spanId: string | null;
}

export type TraceContent =
  | { view: "waterfall"; rows: TraceRowsWindow; minimap: MinimapLine[] }
  | { view: "statistics"; statistics: SpanStatistics[]; leftOut: number }
  | { view: "logs"; logs: TraceLogLine[] };

/** Null: nothing of the trace is in the scope. */
export async function getTracePage(
  workspace: Workspace,
  { traceId, search }: { traceId: string; search: URLSearchParams },
): Promise<TracePage | null> {
  const options = readTraceOptions(search);
  const trace = await readTrace(workspace, traceId, options);
  if (trace === null) return null;
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const { tree, services, skews, errors, logs } = trace;
  const first = tree.order[0];
  const startedUs = originOf(trace);
  return {
    traceId,
    options,
    root: first === undefined ? null : pickName(kindOf(tree.spans, first)),
    startedUs,
    durationUs: tree.endedUs - tree.startedUs,
    spanCount: tree.spans.count,
    rootCount: tree.rootCount,
    orphanCount: tree.orphanCount,
    cutAt: trace.isCut ? MAX_TRACE_SPANS : null,
    services,
    skews,
    errors: errors
      .map(({ eventId, issueId, title, level, spanId, occurredAt, projectId }) => {
        const atUs = occurredAt * 1000 - startedUs;
        return { eventId, issueId, title, level, spanId, atUs, project: slugs.get(projectId) ?? "" };
      })
      .sort((a, b) => a.atUs - b.atUs),
    logCount: logs.length,
    areLogsCut: logs.length === MAX_TRACE_LOGS,
    content: readContent(trace, options),
    span: options.spanId === null ? null : await getSpan(workspace, { trace, spanId: options.spanId }),
  };
}

/** Where no span arrived, the first log line or error. */
export function originOf({ tree, logs, errors }: ReadTrace): number {
  if (tree.spans.count > 0) return tree.startedUs;
  return Math.min(...logs.map(({ occurredUs }) => occurredUs), ...errors.map(({ occurredAt }) => occurredAt * 1000));
}

function pickName({ op, name }: { op: string | null; name: string | null }) {
  return { op, name };
}

function readContent(trace: ReadTrace, options: TraceOptions): TraceContent {
  switch (options.view) {
    case "waterfall":
      return { view: "waterfall", rows: listRowsOfTrace(trace, options, null), minimap: drawMinimap(trace) };
    case "statistics": {
      const statistics = summarizeSpans(trace.tree, toNameGroup);
      const leftOut = Math.max(0, statistics.length - MAX_STATISTICS);
      return { view: "statistics", statistics: statistics.slice(0, MAX_STATISTICS), leftOut };
    }
    case "logs":
      return { view: "logs", logs: toLogLines(trace) };
  }
}

export function toLogLines(trace: ReadTrace): TraceLogLine[] {
  const startedUs = originOf(trace);
  return trace.logs.map(({ occurredUs, severity, body, service, spanId }, index) => ({
    key: String(index),
    atUs: occurredUs - startedUs,
    level: levelOf(severity),
    body,
    service,
    spanId,
  }));
}

/** From 1 to 24, as OpenTelemetry counts. */
export function levelOf(severity: number): Level {
  if (severity >= 21) return "fatal";
  if (severity >= 17) return "error";
  if (severity >= 13) return "warning";
  return severity >= 9 ? "info" : "debug";
}
