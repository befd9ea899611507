import { LRUCache } from "lru-cache";
import type { Workspace } from "../../access/workspace.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import { ReadLimitError } from "../../domain/read-limit.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { alignClocks, type ClockSkew, estimateClockSkew } from "../../domain/traces/clock-skew.ts";
import { type CriticalPath, findCriticalPath } from "../../domain/traces/critical-path.ts";
import { nameService, type ProjectSlugs, toProjectSlugs } from "../../domain/traces/name-service.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { findGaps } from "../../domain/traces/trace-rows.ts";
import { kindOf, spanIdOf, type TraceSpans } from "../../domain/traces/trace-spans.ts";
import { growInSteps, type TraceTree } from "../../domain/traces/trace-tree.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { TraceLog } from "../../stores/events/logs.ts";
import { markSpans, type SpanMark } from "./mark-spans.ts";

/** Further spans are not read, and the page says so. */
export const MAX_TRACE_SPANS = 1_000_000;
export const MAX_TRACE_LOGS = 1_000;
const MAX_TRACE_ERRORS = 100;
/**
 * Milliseconds before the first span and after the last one in which log lines of the trace are read. To find all lines of a trace
 * id, the store has to read every line: ten million take a third of a second. The page *Logs* does that on request.
 */
const LOGS_AROUND_MS = HOUR_MS;
/** Ops that the reader can choose from. */
const MAX_OPS = 100;
/** Services with a name and a colour of their own. Others are combined: a page with 16,000 services would take seconds to draw. */
export const MAX_SERVICES = 500;
const OTHER_SERVICES = "other services";

/** The total number of spans of traces that are kept for further requests of rows. A span takes a little over 100 bytes. */
const MAX_KEPT_SPANS = 1_100_000;
/** Smaller traces are read for each request, so that new spans appear at once. */
const MIN_KEPT_SPANS = 2_000;
const KEPT_MS = 60_000;
/** A trace that ended, or received a span, less than this ago may still grow. It is read again sooner. */
const GROWING_MS = 60_000;
const KEPT_GROWING_MS = 10_000;

export interface ReadTrace {
  traceId: string;
  tree: TraceTree;
  /** Whether the trace has more spans than were read. */
  isCut: boolean;
  skews: ClockSkew[];
  services: TraceService[];
  /** The most frequent ops first, at most `MAX_OPS`. */
  ops: TraceOp[];
  /** Indexes into `services`, by name. */
  serviceIndexes: Map<string, number>;
  gaps: Map<number, number>;
  path: CriticalPath;
  errors: EventRow[];
  /** Log lines, each with its service or, if it has none, its project. */
  logs: Array<TraceLog & { service: string }>;
  errorCounts: Map<string, number>;
  logCounts: Map<string, number>;
  /** Errors and log lines by the id of their span. Times are microseconds since 1970, on the same clock as the span's times. */
  marks: Map<string, SpanMark[]>;
}

export interface TraceService {
  name: string;
  spanCount: number;
  /** Microseconds in which its spans ran and none of their children did. */
  selfUs: number;
}

/** An op of the trace, and its number of spans. */
export interface TraceOp {
  op: string;
  spanCount: number;
}

const kept = new LRUCache<string, ReadTrace>({ max: 100, maxSize: MAX_KEPT_SPANS, ttl: KEPT_MS });
/** The version of the rows that the kept traces were read from. When rows are deleted, kept traces must not be shown again. */
let keptVersion = 0;

/** Reads under way, by version and key. Further requests for the same trace wait for the same read. */
const reading = new Map<string, Promise<ReadTrace | null>>();
/** Reading a trace takes memory and this thread, so only a few are read at once. */
const turns = createConcurrencyLimit({ atOnce: 2, maxWaiting: 100, maxWaitMs: 30_000 });

/**
 * Reads a trace. Null: the scope contains nothing of it.
 * @param traceId 32 lower-case hex characters
 * @throws ReadLimitError if too many requests are waiting
 */
export async function readTrace(
  workspace: Workspace,
  traceId: string,
  { isAsSent }: { isAsSent: boolean },
): Promise<ReadTrace | null> {
  const key = `${workspace.scope.projectIds.join()} ${traceId} ${isAsSent}`;
  const version = workspace.events.rowsVersion();
  if (version !== keptVersion) kept.clear();
  keptVersion = version;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const flight = `${version} ${key}`;
  const begun = reading.get(flight) ?? readInTurn(workspace, traceId, isAsSent).finally(() => reading.delete(flight));
  reading.set(flight, begun);
  const read = await begun;
  const count = read?.tree.spans.count ?? 0;
  // Rows may have been deleted since the read began.
  if (read !== null && count >= MIN_KEPT_SPANS && workspace.events.rowsVersion() === version)
    kept.set(key, read, { size: count, ttl: mayGrow(read) ? KEPT_GROWING_MS : KEPT_MS });
  return read;
}

function mayGrow({ tree }: ReadTrace): boolean {
  return Date.now() - Math.max(tree.endedUs / 1_000, tree.spans.arrivedAt ?? 0) < GROWING_MS;
}

async function readInTurn(workspace: Workspace, traceId: string, isAsSent: boolean): Promise<ReadTrace | null> {
  const leave = await turns.enter();
  if (leave === null) throw new ReadLimitError("time");
  try {
    return await load(workspace, traceId, isAsSent);
  } finally {
    leave();
  }
}

async function load(workspace: Workspace, traceId: string, isAsSent: boolean): Promise<ReadTrace | null> {
  const { events, state, scope } = workspace;
  const filter = { projectIds: scope.projectIds, traceId };
  const lines = { limit: MAX_TRACE_LOGS, aroundUs: LOGS_AROUND_MS * 1000 };
  const [{ spans: read, logs }, errors, projects] = await Promise.all([
    events.readTrace({ ...filter, limit: MAX_TRACE_SPANS + 1 }, lines),
    events.listEvents({ ...filter, from: null, to: null }, { limit: MAX_TRACE_ERRORS, cursor: null }),
    state.projects.listProjects(scope),
  ]);
  if (read.count === 0 && logs.length === 0 && errors.events.length === 0) return null;
  const slugs = toProjectSlugs(projects);
  const sent = nameKinds(read, slugs);
  const asSent = await grow(sent);
  const skews = await afterOthers(asSent, () => estimateClockSkew(asSent));
  const tree = skews.length === 0 || isAsSent ? asSent : await grow(alignClocks(sent, skews));
  const path = await afterOthers(tree, () => findCriticalPath(tree));
  const services = await afterOthers(tree, () => sumServices(tree));
  return {
    traceId,
    tree,
    isCut: read.count > MAX_TRACE_SPANS,
    skews,
    services,
    ops: countOps(tree),
    serviceIndexes: new Map(services.map(({ name }, index) => [name, index])),
    gaps: await afterOthers(tree, () => findGaps(tree)),
    path,
    errors: errors.events,
    logs: logs.map((log) => ({ ...log, service: nameService(log, slugs) })),
    errorCounts: countBy(errors.events, ({ spanId }) => spanId),
    logCounts: countBy(logs, ({ spanId }) => spanId),
    marks: markSpans({ tree, errors: errors.events, logs, skews: isAsSent ? [] : skews }),
  };
}

async function grow(spans: TraceSpans): Promise<TraceTree> {
  const steps = growInSteps(spans);
  for (;;) {
    const step = await afterOthers({ spans }, () => steps.next());
    if (step.done) return step.value;
  }
}

/** Runs a step after other requests had a chance to run, if the trace is large. */
async function afterOthers<Result>({ spans }: Pick<TraceTree, "spans">, run: () => Result): Promise<Result> {
  if (spans.count >= MIN_KEPT_SPANS) await new Promise((wake) => setImmediate(wake));
  return run();
}

/** Replaces the texts of kinds of spans with those that are shown. */
function nameKinds(spans: TraceSpans, slugs: ProjectSlugs): TraceSpans {
  const services = new Set<string>();
  const toService = (kind: TraceSpans["kinds"][number]) => {
    const service = nameService(kind, slugs);
    if (!services.has(service) && services.size >= MAX_SERVICES) return OTHER_SERVICES;
    services.add(service);
    return service;
  };
  const kinds = spans.kinds.map((kind) => ({
    ...kind,
    op: kind.op && showTurns(kind.op),
    name: kind.name && showTurns(kind.name),
    service: toService(kind),
  }));
  return { ...spans, kinds };
}

/** Services in the order in which they first ran. */
function sumServices({ spans, order, selfUs }: TraceTree): TraceService[] {
  const sums = new Map<string, TraceService>();
  for (const index of order) {
    const name = kindOf(spans, index).service;
    const sum = sums.get(name) ?? { name, spanCount: 0, selfUs: 0 };
    sum.spanCount++;
    sum.selfUs += selfUs[index] as number;
    sums.set(name, sum);
  }
  return [...sums.values()];
}

function countOps({ spans }: TraceTree): TraceOp[] {
  const ofKinds = new Uint32Array(spans.kinds.length);
  for (const kind of spans.kindOf) ofKinds[kind] = (ofKinds[kind] as number) + 1;
  const counts = new Map<string, number>();
  for (const [kind, { op }] of spans.kinds.entries())
    if (op?.trim()) counts.set(op, (counts.get(op) ?? 0) + (ofKinds[kind] as number));
  return [...counts]
    .map(([op, spanCount]) => ({ op, spanCount }))
    .sort((a, b) => b.spanCount - a.spanCount || (a.op < b.op ? -1 : 1))
    .slice(0, MAX_OPS);
}

function countBy<Row>(rows: readonly Row[], toKey: (row: Row) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = toKey(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The key of a span in addresses: its id. If an earlier span has the same id, the key also has its place among them: `<id>.2`. */
export function keyOfSpan({ spans, places }: TraceTree, index: number): string {
  const place = places?.[index] ?? 0;
  return place === 0 ? spanIdOf(spans, index) : `${spanIdOf(spans, index)}.${place}`;
}

/** The index of a span by its key. -1: the trace does not have it. */
export function findSpan({ tree: { spans, places } }: ReadTrace, key: string): number {
  const [id, place = "1"] = key.split(".");
  const wanted = BigInt(`0x${id}`);
  const first = spans.ids.indexOf(wanted);
  if (first < 0 || place === "1") return first;
  for (let index = first; index >= 0; index = spans.ids.indexOf(wanted, index + 1))
    if (places?.[index] === Number(place)) return index;
  return -1;
}

/** The start of the trace in microseconds since 1970. If no span arrived, the time of the first log line or error. */
export function originOf({ tree, logs, errors }: ReadTrace): number {
  if (tree.spans.count > 0) return tree.startedUs;
  return Math.min(...logs.map(({ occurredUs }) => occurredUs), ...errors.map(({ occurredAt }) => occurredAt * 1000));
}
