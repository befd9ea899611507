import { childrenOf, endOf, type TraceTree } from "./trace-tree.ts";

/** A time in which nothing but this span kept the trace from ending. */
export interface Stretch {
  index: number;
  /** Microseconds since 1970. */
  fromUs: number;
  toUs: number;
}

/**
 * What the first root waited for, from its end back to its start: at each moment the child that ended last, and the span itself where
 * no child ran. Of a child that begins before its parent or ends after it,
 * the time inside the parent counts. By start.
 */
export function findCriticalPath(tree: TraceTree): Stretch[] {
  const { spans, order } = tree;
  if (order.length === 0) return [];
  const stretches: Stretch[] = [];
  const root = order[0] as number;
  const open = [{ index: root, fromUs: spans.startedUs[root] as number, toUs: endOf(spans, root) }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { index, fromUs, toUs } = next;
    let reached = toUs;
    for (const { child, end } of byEnd(tree, index, toUs)) {
      const start = Math.max(spans.startedUs[child] as number, fromUs);
      if (end > reached || start >= end) continue;
      if (reached > end) stretches.push({ index, fromUs: end, toUs: reached });
      open.push({ index: child, fromUs: start, toUs: end });
      reached = start;
    }
    if (reached > fromUs) stretches.push({ index, fromUs, toUs: reached });
  }
  return stretches.sort((a, b) => a.fromUs - b.fromUs);
}

/** The one that ended last comes first. */
function byEnd(tree: TraceTree, parent: number, until: number): Array<{ child: number; end: number }> {
  const children: Array<{ child: number; end: number }> = [];
  for (const child of childrenOf(tree, parent))
    children.push({ child, end: Math.min(endOf(tree.spans, child), until) });
  return children.sort((a, b) => b.end - a.end);
}
