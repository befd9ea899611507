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

/** More are not read, and the page says so. */
export const MAX_TRACE_SPANS = 1_000_000;
export const MAX_TRACE_LOGS = 1_000;
const MAX_TRACE_ERRORS = 100;
/**
 * Log lines so long before the first span and after the last one are read with a trace. All lines of an id can only be found by reading every
 * line there is: ten million take a third of a second. *Logs* does that when it is asked.
 */
const LOGS_AROUND_MS = HOUR_MS;
/** What one can choose from. */
const MAX_OPS = 100;
/** Those with a name and a colour of their own; the others are one. A page of 16,000 would be drawn for seconds. */
export const MAX_SERVICES = 500;
const OTHER_SERVICES = "other services";

/** Traces of so many spans together stay for the next window of their rows: a little over 100 bytes a span. */
const MAX_KEPT_SPANS = 1_100_000;
/** A smaller trace is read again each time, so that what arrives meanwhile is there. */
const MIN_KEPT_SPANS = 2_000;
const KEPT_MS = 60_000;
/** Of a trace that ended, or whose last span came, so short ago, more may come: it is read again sooner. */
const GROWING_MS = 60_000;
const KEPT_GROWING_MS = 10_000;

export interface ReadTrace {
  traceId: string;
  tree: TraceTree;
  /** Whether there are more spans than are read. */
  isCut: boolean;
  skews: ClockSkew[];
  services: TraceService[];
  /** The most first, at most `MAX_OPS`. */
  ops: TraceOp[];
  /** Index into `services` by name. */
  serviceIndexes: Map<string, number>;
  gaps: Map<number, number>;
  path: CriticalPath;
  errors: EventRow[];
  /** Each with a service: its own, or its project. */
  logs: Array<TraceLog & { service: string }>;
  errorCounts: Map<string, number>;
  logCounts: Map<string, number>;
  /** Errors and log lines by the id of their span. Times are microseconds since 1970, by the clock that their span's are. */
  marks: Map<string, SpanMark[]>;
}

export interface TraceService {
  name: string;
  spanCount: number;
  /** Microseconds. */
  selfUs: number;
}

/** Spans with an op. */
export interface TraceOp {
  op: string;
  spanCount: number;
}

const kept = new LRUCache<string, ReadTrace>({ max: 100, maxSize: MAX_KEPT_SPANS, ttl: KEPT_MS });
/** Of the rows that the kept traces were read from: what somebody has deleted must not be shown again. */
let keptVersion = 0;

/** By key and version: who asks for a trace that is being read waits for it. */
const reading = new Map<string, Promise<ReadTrace | null>>();
/** A trace takes memory and this thread while it is read, so that of many that are opened at once most wait. */
const turns = createConcurrencyLimit({ atOnce: 2, maxWaiting: 100, maxWaitMs: 30_000 });

/**
 * Null: nothing of the trace is in the scope.
 *
 * @param traceId 32 lower-case hex characters
 * @throws ReadLimitError when too many wait for theirs
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
  // Rows may be gone since the reading began.
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

/** Lets other requests have the thread first, where the step is a long one. */
async function afterOthers<Result>({ spans }: Pick<TraceTree, "spans">, run: () => Result): Promise<Result> {
  if (spans.count >= MIN_KEPT_SPANS) await new Promise((wake) => setImmediate(wake));
  return run();
}

/** Texts as they are shown. */
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

/** In the order in which they first ran. */
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

/** As addresses name a span: by its id, and where an earlier span has that id by its place among them, too: `<id>.2`. */
export function keyOfSpan({ spans, places }: TraceTree, index: number): string {
  const place = places?.[index] ?? 0;
  return place === 0 ? spanIdOf(spans, index) : `${spanIdOf(spans, index)}.${place}`;
}

/** -1: it is not there. */
export function findSpan({ tree: { spans, places } }: ReadTrace, key: string): number {
  const [id, place = "1"] = key.split(".");
  const wanted = BigInt(`0x${id}`);
  const first = spans.ids.indexOf(wanted);
  if (first < 0 || place === "1") return first;
  for (let index = first; index >= 0; index = spans.ids.indexOf(wanted, index + 1))
    if (places?.[index] === Number(place)) return index;
  return -1;
}

/** Where no span arrived, the first log line or error. */
export function originOf({ tree, logs, errors }: ReadTrace): number {
  if (tree.spans.count > 0) return tree.startedUs;
  return Math.min(...logs.map(({ occurredUs }) => occurredUs), ...errors.map(({ occurredAt }) => occurredAt * 1000));
}
