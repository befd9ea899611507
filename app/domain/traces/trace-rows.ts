import { endOf, type TraceTree } from "./trace-tree.ts";

/** A gap between two children gets a row if it has this many microseconds, and this share of its parent. */
const MIN_GAP_US = 20_000;
const MIN_GAP_SHARE = 0.01;

export interface RowChoice {
  /** Ids of spans whose descendants are left out. */
  folded: ReadonlySet<bigint>;
  /** By index: 1 for spans that remain. Null: all. */
  kept: Uint8Array | null;
  /** The result of `findGaps`. Null: gaps get no rows. */
  gaps: ReadonlyMap<number, number> | null;
}

/**
 * The rows of a waterfall: the index of a span, or `-1 - index` for the time without a span before that one.
 */
export function listTraceRows(tree: TraceTree, { folded, kept, gaps }: RowChoice): Int32Array {
  const { spans, order, sizes } = tree;
  const rows = new Int32Array(order.length + (gaps?.size ?? 0));
  let length = 0;
  for (let place = 0; place < order.length; ) {
    const index = order[place] as number;
    if (kept !== null && kept[index] !== 1) {
      place++;
      continue;
    }
    if (gaps?.has(index)) rows[length++] = -1 - index;
    rows[length++] = index;
    place += folded.has(spans.ids[index] as bigint) ? (sizes[place] as number) : 1;
  }
  return rows.subarray(0, length);
}

/** By index of a span: microseconds before it in which its parent ran and no child did. The first child has none. */
export function findGaps(tree: TraceTree): Map<number, number> {
  const { spans } = tree;
  const gaps = new Map<number, number>();
  for (let index = 0; index < spans.count; index++) {
    if ((tree.childCounts[index] as number) < 2) continue;
    const minUs = Math.max(MIN_GAP_US, (spans.durationUs[index] as number) * MIN_GAP_SHARE);
    let until: number | null = null;
    for (let child = tree.firstChild[index] as number; child >= 0; child = tree.nextSibling[child] as number) {
      const startedUs = spans.startedUs[child] as number;
      if (until !== null && startedUs - until >= minUs && startedUs <= endOf(spans, index))
        gaps.set(child, startedUs - until);
      until = Math.max(until ?? 0, endOf(spans, child));
    }
  }
  return gaps;
}

/** The spans and all above them. */
export function withAncestors({ parents }: TraceTree, matches: Uint8Array): Uint8Array {
  const kept = matches.slice();
  for (let index = 0; index < matches.length; index++) {
    if (matches[index] !== 1) continue;
    for (let at = parents[index] as number; at >= 0 && kept[at] !== 1; at = parents[at] as number) kept[at] = 1;
  }
  return kept;
}
