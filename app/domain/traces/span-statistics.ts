import type { TimeWindow } from "./time-window.ts";
import { isFailed } from "./trace-spans.ts";
import { type TraceTree, timesWithin } from "./trace-tree.ts";

/** Spans of one service, op and name group. Of a part of the time, the sums have what lies in it. */
export interface SpanStatistics {
  service: string;
  op: string | null;
  group: string;
  count: number;
  failed: number;
  /** Microseconds, as all below. Spans that run together count each. */
  totalUs: number;
  selfUs: number;
  /** Mean of whole durations. The longest is of whole durations, too. */
  meanUs: number;
  maxUs: number;
}

/** The spans to sum. */
export interface StatisticsChoice {
  /** By index: 1 for spans that count. Null: all. */
  chosen: Uint8Array | null;
  /** Null: the whole trace. */
  window: TimeWindow | null;
}

/**
 * Sums spans by group, most own time first.
 * @param toGroup gives the span's name without the parts that differ from span to span
 */
export function summarizeSpans(
  tree: TraceTree,
  toGroup: (name: string) => string,
  { chosen, window }: StatisticsChoice,
): SpanStatistics[] {
  const { spans } = tree;
  const groups = new Map<string, SpanStatistics>();
  const groupOf = spans.kinds.map((kind) => {
    const group = toGroup(kind.name ?? "");
    const key = JSON.stringify([kind.service, kind.op, group]);
    const known = groups.get(key);
    const { service, op } = kind;
    const found = known ?? { service, op, group, count: 0, failed: 0, totalUs: 0, selfUs: 0, meanUs: 0, maxUs: 0 };
    groups.set(key, found);
    return { found, failed: isFailed(kind) ? 1 : 0 };
  });
  const part = window && { fromUs: tree.startedUs + window.fromUs, toUs: tree.startedUs + window.toUs };
  for (let index = 0; index < spans.count; index++) {
    if (chosen !== null && chosen[index] !== 1) continue;
    const { found, failed } = groupOf[spans.kindOf[index] as number] as { found: SpanStatistics; failed: number };
    const durationUs = spans.durationUs[index] as number;
    const within = part && timesWithin(tree, index, part);
    found.count++;
    found.failed += failed;
    found.totalUs += within?.totalUs ?? durationUs;
    found.selfUs += within?.selfUs ?? (tree.selfUs[index] as number);
    found.meanUs += (durationUs - found.meanUs) / found.count;
    found.maxUs = Math.max(found.maxUs, durationUs);
  }
  return [...groups.values()]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.selfUs - a.selfUs || b.totalUs - a.totalUs || b.count - a.count);
}
