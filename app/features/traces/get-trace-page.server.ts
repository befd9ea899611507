import type { Workspace } from "../../access/workspace.ts";
import { cutText } from "../../domain/cut-text.ts";
import type { Level } from "../../domain/level.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { toNameGroup } from "../../domain/spans/name-group.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { ClockSkew } from "../../domain/traces/clock-skew.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { type SpanStatistics, summarizeSpans } from "../../domain/traces/span-statistics.ts";
import type { TimeWindow } from "../../domain/traces/time-window.ts";
import { kindOf, type TraceSpans } from "../../domain/traces/trace-spans.ts";
import { drawFlameOfTrace } from "./draw-flame.server.ts";
import { explainMissingSpans, type MissingReason } from "./explain-missing-spans.ts";
import type { FlameGraph } from "./flame-view.ts";
import { getSpan, type SpanDetail } from "./get-span.server.ts";
import { type TraceLogLine, toLogLines } from "./list-trace-logs.server.ts";
import { listRowsOfTrace } from "./list-trace-rows.server.ts";
import { FOLLOWED_MS } from "./look-again.ts";
import { drawMinimap } from "./minimap.server.ts";
import type { MinimapLine } from "./minimap-line.ts";
import {
  MAX_TRACE_LOGS,
  MAX_TRACE_SPANS,
  originOf,
  type ReadTrace,
  readTrace,
  type TraceOp,
  type TraceService,
} from "./read-trace.server.ts";
import { type SelectedSpans, selectSpans } from "./select-spans.server.ts";
import { readTraceOptions, type TraceOptions } from "./trace-options.ts";
import type { TraceRowsWindow } from "./trace-rows-view.ts";

const MAX_STATISTICS = 300;
/** Characters of the page's title: a name of 8 KB would leave no room for the spans. */
const MAX_TITLE_LENGTH = 300;
/** Client reports arrive up to a minute after what they count. */
const LEDGER_AFTER_MS = 5 * MINUTE_MS;

export interface TracePage {
  traceId: string;
  options: TraceOptions;
  /** The first root, or the first orphan. Null: no span arrived. */
  root: { op: string | null; name: string | null } | null;
  /** Microseconds since 1970. Null: no span arrived. */
  startedUs: number | null;
  durationUs: number;
  spanCount: number;
  rootCount: number;
  orphanCount: number;
  /** See `TraceTree`. */
  circleCount: number;
  /** Reasons why parents may be missing, or all spans if none arrived. Empty: nothing is missing. */
  missing: MissingReason[];
  /** Whether the viewer sees every project. If not, parts of the trace in other projects are left out. */
  seesEverything: boolean;
  /** Milliseconds since the newest span arrived. Null: not known, or more than `FOLLOWED_MS`. */
  arrivedAgoMs: number | null;
  /** The highest number of spans that are read. Null: the trace has no more. */
  cutAt: number | null;
  services: TraceService[];
  skews: ClockSkew[];
  errors: TraceError[];
  logCount: number;
  /** Whether the trace has more log lines than were read. */
  areLogsCut: boolean;
  /** Ops of the trace with their numbers of spans, the most frequent first. */
  ops: TraceOp[];
  selection: TraceSelectionView;
  minimap: MinimapLine[];
  content: TraceContent;
  span: SpanDetail | null;
}

/** The selected part of the trace, in numbers. */
export interface TraceSelectionView {
  /** The selected time. Null: all of it. */
  window: TimeWindow | null;
  spanCount: number;
  /** The number of selected spans that match the search. */
  matchCount: number;
  /** Errors of the search. If there are any, nothing is found. */
  problems: SearchError[];
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

export type TraceContent =
  | { view: "waterfall"; rows: TraceRowsWindow }
  | { view: "flame"; flame: FlameGraph }
  | { view: "statistics"; statistics: SpanStatistics[]; leftOut: number }
  | { view: "logs"; logs: TraceLogLine[] };

/** Null: the scope contains nothing of the trace. */
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
  const [selected, missing] = await Promise.all([
    selectSpans(workspace, trace, options),
    readMissing(workspace, trace, projects),
  ]);
  return {
    traceId,
    options,
    missing,
    seesEverything: workspace.seesEverything,
    arrivedAgoMs: toArrivedAgo(tree.spans, Date.now()),
    root: first === undefined ? null : pickName(kindOf(tree.spans, first)),
    startedUs,
    durationUs: tree.endedUs - tree.startedUs,
    spanCount: tree.spans.count,
    rootCount: tree.rootCount,
    orphanCount: tree.orphanCount,
    circleCount: tree.circleCount,
    cutAt: trace.isCut ? MAX_TRACE_SPANS : null,
    services,
    skews,
    errors: errors
      .map(({ eventId, issueId, title, level, spanId, occurredAt, projectId }) => {
        const atUs = occurredAt * 1000 - startedUs;
        return { eventId, issueId, title: showTurns(title), level, spanId, atUs, project: slugs.get(projectId) ?? "" };
      })
      .sort((a, b) => a.atUs - b.atUs),
    logCount: logs.length,
    areLogsCut: logs.length === MAX_TRACE_LOGS,
    ops: trace.ops,
    selection: {
      window: selected.window,
      spanCount: selected.chosenCount,
      matchCount: selected.matchCount,
      problems: selected.problems,
    },
    minimap: drawMinimap(trace),
    content: readContent(trace, selected, options),
    span: options.spanKey === null ? null : await getSpan(workspace, { trace, key: options.spanKey }),
  };
}

async function readMissing(
  { state, scope, seesEverything, monitoringProjectId }: Workspace,
  { tree, errors, logs }: ReadTrace,
  projects: ReadonlyArray<{ id: number; slug: string }>,
): Promise<MissingReason[]> {
  const { spans } = tree;
  if (spans.count > 0 && tree.orphanCount === 0) return [];
  const times =
    spans.count > 0
      ? [tree.startedUs / 1_000, tree.endedUs / 1_000]
      : [...errors.map(({ occurredAt }) => occurredAt), ...logs.map(({ occurredUs }) => occurredUs / 1_000)];
  const ledger = await state.outcomes.sumOutcomes(scope, {
    from: Math.floor(Math.min(...times)) - MINUTE_MS,
    to: Math.ceil(Math.max(...times)) + LEDGER_AFTER_MS,
    bucketMs: null,
    groupBy: ["outcome", "reason", "category", "project"],
    categories: ["span", "transaction"],
  });
  const ownProjectIds = new Set([...spans.kinds, ...errors, ...logs].map(({ projectId }) => projectId));
  // Some spans of the server's own project are always sampled out. The server calls no other service, so those cannot be the
  // parents of other projects' spans.
  const callers = projects.filter(({ id }) => id !== monitoringProjectId() || ownProjectIds.has(id));
  return explainMissingSpans({ ledger, projects: callers, ownProjectIds, seesEverything });
}

function toArrivedAgo({ arrivedAt }: TraceSpans, now: number): number | null {
  if (arrivedAt === null) return null;
  const agoMs = Math.max(0, now - arrivedAt);
  return agoMs < FOLLOWED_MS ? agoMs : null;
}

function pickName({ op, name }: { op: string | null; name: string | null }) {
  return { op, name: name && cutText(name, MAX_TITLE_LENGTH) };
}

function readContent(
  trace: ReadTrace,
  selected: SelectedSpans,
  { view, spanKey, services }: TraceOptions,
): TraceContent {
  switch (view) {
    case "waterfall":
      return { view: "waterfall", rows: listRowsOfTrace(trace, selected, { from: null, spanKey }) };
    case "flame":
      return { view: "flame", flame: drawFlameOfTrace(trace, selected) };
    case "statistics": {
      const statistics = summarizeSpans(trace.tree, toNameGroup, selected);
      const leftOut = Math.max(0, statistics.length - MAX_STATISTICS);
      return { view: "statistics", statistics: statistics.slice(0, MAX_STATISTICS), leftOut };
    }
    case "logs":
      return { view: "logs", logs: toLogLines(trace, { window: selected.window, services }) };
  }
}
