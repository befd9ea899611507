import { isFailed } from "./trace-spans.ts";
import type { TraceTree } from "./trace-tree.ts";

/** Spans of one service, op and name group. */
export interface SpanStatistics {
  service: string;
  op: string | null;
  group: string;
  count: number;
  failed: number;
  /** Microseconds, as all below. Spans that run together count each. */
  totalUs: number;
  selfUs: number;
  maxUs: number;
}

/**
 * By own time, the most first.
 *
 * @param toGroup the name without what changes from one to the next
 */
export function summarizeSpans(tree: TraceTree, toGroup: (name: string) => string): SpanStatistics[] {
  const { spans } = tree;
  const groups = new Map<string, SpanStatistics>();
  const groupOf = spans.kinds.map((kind) => {
    const group = toGroup(kind.name ?? "");
    const key = JSON.stringify([kind.service, kind.op, group]);
    const known = groups.get(key);
    const { service, op } = kind;
    const found = known ?? { service, op, group, count: 0, failed: 0, totalUs: 0, selfUs: 0, maxUs: 0 };
    groups.set(key, found);
    return { found, failed: isFailed(kind) ? 1 : 0 };
  });
  for (let index = 0; index < spans.count; index++) {
    const { found, failed } = groupOf[spans.kindOf[index] as number] as { found: SpanStatistics; failed: number };
    const durationUs = spans.durationUs[index] as number;
    found.count++;
    found.failed += failed;
    found.totalUs += durationUs;
    found.selfUs += tree.selfUs[index] as number;
    found.maxUs = Math.max(found.maxUs, durationUs);
  }
  return [...groups.values()].sort((a, b) => b.selfUs - a.selfUs || b.count - a.count);
}
