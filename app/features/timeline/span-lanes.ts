import { packRows } from "../../domain/timeline/pack-rows.ts";
import { isFailed, kindOf, type SpanKind, spanIdOf } from "../../domain/traces/trace-spans.ts";
import { childrenOf, endOf, type TraceTree } from "../../domain/traces/trace-tree.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import type { LaneKind, TimelineItem, TimelineLane } from "./timeline.ts";

/** Spans that are drawn in each lane: failed ones first, then the longest. */
const MAX_DRAWN = 200;
/** If there are more services, the rest share a lane. */
const MAX_SERVICES = 8;

export interface SpanLanesInput {
  /** The spans of the trace. Services of browsers have names of their own. */
  tree: TraceTree;
  browsers: ReadonlySet<string>;
  traceId: string;
  /** The throw, in microseconds since 1970. */
  originUs: number;
}

/**
 * Lanes for browsers, for their requests beside the servers' answers, for each service, and for queries. Lanes without a span are
 * left out.
 */
export function listSpanLanes(input: SpanLanesInput): TimelineLane[] {
  const { tree, browsers } = input;
  const byLane = new Map<string, { kind: LaneKind; service: string | null; indexes: number[] }>();
  const add = (id: string, kind: LaneKind, service: string | null, index: number) => {
    const lane = byLane.get(id) ?? { kind, service, indexes: [] };
    lane.indexes.push(index);
    byLane.set(id, lane);
  };
  const folded = foldServices(tree, browsers);
  for (const index of tree.order) {
    const kind = kindOf(tree.spans, index);
    if (isQuery(kind)) add("queries", "queries", null, index);
    else if (!browsers.has(kind.service)) {
      if (folded.has(kind.service)) add("services", "service", null, index);
      else add(`service ${kind.service}`, "service", kind.service, index);
    } else if (isRequest(kind)) add("network", "network", null, index);
    else add(`browser ${kind.service}`, "browser", kind.service, index);
  }
  return [...byLane].map(([id, { kind, service, indexes }]) => {
    const lane = { id, kind, service, state: { kind: "present" }, loss: null, total: indexes.length } as const;
    if (kind === "network") return { ...lane, name: "Network", ...drawRequests(input, indexes) };
    const items = pickDrawn(tree, indexes).map((index) => toSpanItem(input, index));
    const rows = packRows(items);
    for (const [at, item] of items.entries()) item.row = rows[at] as number;
    return { ...lane, name: nameLane(kind, service, folded.size), items, rowCount: Math.max(0, ...rows) + 1 };
  });
}

/** The services that share a lane, if there are many: those without failures and with the least work. */
function foldServices(tree: TraceTree, browsers: ReadonlySet<string>): Set<string> {
  const weights = new Map<string, number>();
  for (const index of tree.order) {
    const kind = kindOf(tree.spans, index);
    if (browsers.has(kind.service) || isQuery(kind)) continue;
    const own = (tree.selfUs[index] as number) + (isFailed(kind) ? 1e15 : 0);
    weights.set(kind.service, (weights.get(kind.service) ?? 0) + own);
  }
  if (weights.size <= MAX_SERVICES) return new Set();
  const byWeight = [...weights].sort(([, a], [, b]) => b - a).map(([service]) => service);
  return new Set(byWeight.slice(MAX_SERVICES - 1));
}

function nameLane(kind: LaneKind, service: string | null, foldedCount: number): string {
  if (kind === "queries") return "Queries";
  if (kind === "browser") return "Browser";
  return service ?? `${foldedCount} more services`;
}

function pickDrawn(tree: TraceTree, indexes: readonly number[]): number[] {
  if (indexes.length <= MAX_DRAWN) return [...indexes];
  const weigh = (index: number) =>
    (tree.spans.durationUs[index] as number) + (isFailed(kindOf(tree.spans, index)) ? 1e15 : 0);
  return indexes
    .toSorted((a, b) => weigh(b) - weigh(a))
    .slice(0, MAX_DRAWN)
    .sort((a, b) => (tree.spans.startedUs[a] as number) - (tree.spans.startedUs[b] as number));
}

/** Two rows for each request: the request, and below it the server's work. */
function drawRequests(input: SpanLanesInput, indexes: readonly number[]): { items: TimelineItem[]; rowCount: number } {
  const { tree } = input;
  const requests = pickDrawn(tree, indexes);
  const items = requests.map((index) => toSpanItem(input, index));
  const rows = packRows(items);
  const answers: TimelineItem[] = [];
  for (const [at, index] of requests.entries()) {
    const request = items[at] as TimelineItem;
    request.row = 2 * (rows[at] as number);
    const { service } = kindOf(tree.spans, index);
    const answer = [...childrenOf(tree, index)].find((child) => kindOf(tree.spans, child).service !== service);
    if (answer === undefined) continue;
    const item = toSpanItem(input, answer);
    const outUs = item.fromUs - request.fromUs;
    const backUs = (request.toUs ?? 0) - (item.toUs ?? 0);
    const isPossible = outUs >= 0 && backUs >= 0;
    answers.push({
      ...item,
      key: `answer ${item.key}`,
      row: request.row + 1,
      ...(isPossible
        ? { wire: [outUs, backUs], note: `${formatDuration(outUs)} on the way there, ${formatDuration(backUs)} back` }
        : {}),
    });
  }
  return { items: [...items, ...answers], rowCount: 2 * (Math.max(0, ...rows) + 1) };
}

function toSpanItem({ tree, traceId, originUs }: SpanLanesInput, index: number): TimelineItem {
  const { spans } = tree;
  const kind = kindOf(spans, index);
  const id = spanIdOf(spans, index);
  return {
    key: toSpanKey(tree, index),
    fromUs: (spans.startedUs[index] as number) - originUs,
    toUs: endOf(spans, index) - originUs,
    row: 0,
    label: toSpanLabel(kind),
    note: toStatus(kind),
    level: null,
    isFailed: hasFailed(kind),
    service: kind.service,
    href: `/traces/${traceId}?span=${id}`,
    facts: [],
  };
}

/** A unique key for a span: two spans may have the same id. */
function toSpanKey({ spans }: TraceTree, index: number): string {
  return `span ${spanIdOf(spans, index)} ${spans.ordinals[index]}`;
}

function toSpanLabel({ op, name }: SpanKind): string {
  // The phases of a page load all have the page's address as their name, so the op is shown.
  if (op?.startsWith("browser.")) return op.slice("browser.".length);
  return (name ?? op ?? "span").slice(0, 200);
}

/** How it ended, if that is of interest. Empty if it ended well. */
function toStatus(kind: SpanKind): string {
  if (kind.httpStatus !== null && (kind.httpStatus >= 400 || hasFailed(kind))) return String(kind.httpStatus);
  return hasFailed(kind) ? (kind.status ?? "failed").replaceAll("_", " ") : "";
}

/** A cancelled query counts as failed: it has not done its work. */
function hasFailed(kind: SpanKind): boolean {
  return isFailed(kind) || (isQuery(kind) && kind.status === "cancelled");
}

function isQuery({ op }: SpanKind): boolean {
  return op === "db" || op?.startsWith("db.") === true;
}

function isRequest({ op }: SpanKind): boolean {
  return op === "http.client" || op?.startsWith("http.client.") === true;
}
