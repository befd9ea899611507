import { endOf, type TraceTree } from "./trace-tree.ts";

/**
 * Times in which nothing but one span kept the trace from ending, in columns. Those of a span lie together, the last one first. Times are
 * microseconds since 1970.
 */
export interface CriticalPath {
  readonly indexes: readonly number[];
  readonly fromUs: readonly number[];
  readonly toUs: readonly number[];
  /** By index of a span: the place of its first row in the columns. -1: the span is not on the path. */
  readonly places: Int32Array;
}

/**
 * The spans that decide how long the first root takes, from its end back to its start. At each moment, it is the child that ended last,
 * or the span itself if no child runs. If a child begins before its parent or ends after it, only the time inside the parent counts.
 */
export function findCriticalPath(tree: TraceTree): CriticalPath {
  const { spans, order } = tree;
  const indexes: number[] = [];
  const fromUs: number[] = [];
  const toUs: number[] = [];
  const places = new Int32Array(spans.count).fill(-1);
  const add = (index: number, from: number, to: number) => {
    if (to <= from) return;
    if (places[index] === -1) places[index] = indexes.length;
    indexes.push(index);
    fromUs.push(from);
    toUs.push(to);
  };
  const root = order[0];
  /** Index, begin and end, three places each. */
  const open = root === undefined ? [] : [root, spans.startedUs[root] as number, endOf(spans, root)];
  while (open.length > 0) {
    const [to, from, index] = [open.pop(), open.pop(), open.pop()] as [number, number, number];
    let reached = to;
    for (const child of byEnd(tree, index, to)) {
      const end = Math.min(endOf(spans, child), to);
      const start = Math.max(spans.startedUs[child] as number, from);
      if (end > reached || start >= end) continue;
      add(index, end, reached);
      open.push(child, start, end);
      reached = start;
    }
    add(index, from, reached);
  }
  return { indexes, fromUs, toUs, places };
}

/** Children by their ends, latest first. Among those that end together, the one that began first comes first. */
function byEnd({ spans, firstChild, nextSibling }: TraceTree, parent: number, until: number): number[] {
  const children: number[] = [];
  for (let child = firstChild[parent] as number; child >= 0; child = nextSibling[child] as number) children.push(child);
  if (children.length < 2) return children;
  return children.sort((a, b) => Math.min(endOf(spans, b), until) - Math.min(endOf(spans, a), until));
}

/**
 * The periods in which one span is on the path, in order, within a part of the trace. Periods less than `minUs` apart become one: a
 * span may have a hundred thousand of them, and a line on the screen has a thousand points.
 */
export function listPathTimes(
  { indexes, fromUs, toUs, places }: CriticalPath,
  index: number,
  within: { fromUs: number; toUs: number; minUs: number },
): Array<[fromUs: number, toUs: number]> {
  const times: Array<[number, number]> = [];
  let place = places[index] as number;
  if (place < 0) return times;
  for (; indexes[place] === index; place++) {
    const from = Math.max(fromUs[place] as number, within.fromUs);
    const to = Math.min(toUs[place] as number, within.toUs);
    if (to <= from) continue;
    const later = times.at(-1);
    if (later !== undefined && later[0] - to < within.minUs) later[0] = from;
    else times.push([from, to]);
  }
  return times.reverse();
}
