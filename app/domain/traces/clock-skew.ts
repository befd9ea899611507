import { kindOf, type TraceSpans } from "./trace-spans.ts";
import { endOf, type TraceTree } from "./trace-tree.ts";

/** How far the clock of a service is ahead of that of the trace's first span. */
export interface ClockSkew {
  service: string;
  /** Microseconds; negative: behind. The service's times less this are by the first span's clock. */
  aheadUs: number;
  /** Microseconds by which it may be wrong either way. */
  plusMinusUs: number;
  /** Calls from another service that it was estimated from. */
  pairs: number;
}

interface Pair {
  caller: string;
  callee: string;
  /** The callee's clock is ahead of the caller's by something between the two, in microseconds. */
  from: number;
  to: number;
}

/**
 * Estimated from calls between services: the answer of a call cannot begin before it or end after it. A service whose calls are all
 * possible as they were sent has no skew. Longer on the called side than on the calling side tells nothing (the caller may have given up).
 */
export function estimateClockSkew(tree: TraceTree): ClockSkew[] {
  const pairs = Map.groupBy(listPairs(tree), ({ caller, callee }) => JSON.stringify([caller, callee]));
  const edges = Map.groupBy([...pairs.values()].map(summarize), ({ caller }) => caller);
  const first = tree.order[0];
  if (first === undefined) return [];
  const ahead = new Map([[kindOf(tree.spans, first).service, 0]]);
  const found: ClockSkew[] = [];
  // Follows calls from services whose clock is known. Those that become known meanwhile are walked through, too: each call is looked at once.
  for (const [known, base] of ahead) {
    for (const { caller: _, callee, aheadUs, ...rest } of edges.get(known) ?? []) {
      if (ahead.has(callee)) continue;
      ahead.set(callee, base + aheadUs);
      if (base + aheadUs !== 0) found.push({ service: callee, aheadUs: base + aheadUs, ...rest });
    }
  }
  return found;
}

function listPairs(tree: TraceTree): Pair[] {
  const { spans, parents } = tree;
  const pairs: Pair[] = [];
  for (let index = 0; index < spans.count; index++) {
    const parent = parents[index] as number;
    if (parent < 0 || (spans.durationUs[index] as number) > (spans.durationUs[parent] as number)) continue;
    const caller = kindOf(spans, parent).service;
    const callee = kindOf(spans, index).service;
    if (caller === callee) continue;
    const from = endOf(spans, index) - endOf(spans, parent);
    const to = (spans.startedUs[index] as number) - (spans.startedUs[parent] as number);
    pairs.push({ caller, callee, from, to });
  }
  return pairs;
}

function summarize(pairs: Pair[]): { caller: string; callee: string } & Omit<ClockSkew, "service"> {
  const { caller, callee } = pairs[0] as Pair;
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const pair of pairs) {
    from = Math.max(from, pair.from);
    to = Math.min(to, pair.to);
  }
  const isPossible = from <= 0 && to >= 0;
  // If the calls contradict each other, the clock was changed meanwhile.
  const isOne = from <= to;
  const aheadUs = isOne ? (from + to) / 2 : median(pairs.map((pair) => (pair.from + pair.to) / 2));
  const plusMinusUs = isOne ? (to - from) / 2 : median(pairs.map((pair) => (pair.to - pair.from) / 2));
  return {
    caller,
    callee,
    aheadUs: isPossible ? 0 : Math.round(aheadUs),
    plusMinusUs: Math.round(plusMinusUs),
    pairs: pairs.length,
  };
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** The spans with the times of one clock: that of the trace's first span. */
export function alignClocks(spans: TraceSpans, skews: readonly ClockSkew[]): TraceSpans {
  const ahead = new Map(skews.map(({ service, aheadUs }) => [service, aheadUs]));
  const aheadOf = spans.kinds.map(({ service }) => ahead.get(service) ?? 0);
  const startedUs = spans.startedUs.map(
    (started, index) => started - (aheadOf[spans.kindOf[index] as number] as number),
  );
  const order = Uint32Array.from(startedUs.keys());
  order.sort(
    (a, b) =>
      (startedUs[a] as number) - (startedUs[b] as number) ||
      (spans.durationUs[b] as number) - (spans.durationUs[a] as number) ||
      a - b,
  );
  return {
    ...spans,
    ordinals: Float64Array.from(order, (index) => spans.ordinals[index] as number),
    ids: BigUint64Array.from(order, (index) => spans.ids[index] as bigint),
    parentIds: BigUint64Array.from(order, (index) => spans.parentIds[index] as bigint),
    startedUs: Float64Array.from(order, (index) => startedUs[index] as number),
    durationUs: Float64Array.from(order, (index) => spans.durationUs[index] as number),
    kindOf: Uint32Array.from(order, (index) => spans.kindOf[index] as number),
  };
}
