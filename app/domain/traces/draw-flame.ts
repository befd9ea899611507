import type { TimeWindow } from "./time-window.ts";
import { isFailed } from "./trace-spans.ts";
import { endOf, type TraceTree } from "./trace-tree.ts";

/** A span, or several that are too narrow to be told apart. Times are microseconds since the trace began. */
export interface FlameBlock {
  /** Index of the span; of several the longest. */
  index: number;
  /** The row, counted from the top, from 0. */
  row: number;
  fromUs: number;
  toUs: number;
  /** The number of spans in this block. */
  count: number;
  failed: number;
  /** How many of these spans a search has found. */
  found: number;
}

export interface Flame {
  /** Sorted by row, then by time. */
  blocks: FlameBlock[];
  rowCount: number;
  /** The number of spans that would be below the last row. */
  leftOut: number;
}

export interface FlameOptions {
  window: TimeWindow;
  /** By index: 1 for spans to draw. Null: all. */
  chosen: Uint8Array | null;
  /** By index: 1 for spans that a search has found. */
  found: Uint8Array;
}

/** Share of the window. Narrower spans that are beside each other become one block. */
const MIN_SHARE = 1 / 800;
/** Blocks that a page can draw. If there would be more, wider spans are joined, too. */
const MAX_BLOCKS = 1_500;
const MAX_ROWS = 100;
/** A block of narrow spans is at most so much wider than the widest of them: one over the whole window would tell nothing. */
const MAX_JOINED = 8;

/**
 * Draws the spans of a window over time, each below its parent. Spans that run at the same time get rows of their own. A parent that is
 * not drawn takes no row: the spans below it move up.
 */
export function drawFlame(tree: TraceTree, options: FlameOptions): Flame {
  for (let share = MIN_SHARE; ; ) {
    const flame = draw(tree, options, (options.window.toUs - options.window.fromUs) * share);
    const excess = flame.blocks.length / MAX_BLOCKS;
    share *= Math.max(2, excess);
    if (excess <= 1) return { ...flame, blocks: flame.blocks.sort(byPlace) };
  }
}

function byPlace(a: FlameBlock, b: FlameBlock): number {
  return a.row - b.row || a.fromUs - b.fromUs;
}

function draw(tree: TraceTree, { window, chosen, found }: FlameOptions, minUs: number): Flame {
  const { spans, parents, startedUs } = tree;
  const failing = spans.kinds.map((kind) => (isFailed(kind) ? 1 : 0));
  const blocks: FlameBlock[] = [];
  /** By row: the time from which it is free, and the block of narrow spans at its end. */
  const freeUs: number[] = [];
  const narrow: Array<FlameBlock | null> = [];
  /** By index: one more than the row of the span, or of its nearest ancestor that is drawn. 0: no ancestor is drawn. */
  const below = new Int32Array(spans.count);
  let leftOut = 0;
  for (let index = 0; index < spans.count; index++) {
    const parent = parents[index] as number;
    const first = parent < 0 ? 0 : (below[parent] as number);
    below[index] = first;
    if (chosen !== null && chosen[index] !== 1) continue;
    const fromUs = Math.max((spans.startedUs[index] as number) - startedUs, window.fromUs);
    const toUs = Math.min(endOf(spans, index) - startedUs, window.toUs);
    if (toUs < window.fromUs || fromUs > window.toUs) continue;
    const isNarrow = toUs - fromUs < minUs;
    const failed = failing[spans.kindOf[index] as number] as number;
    const own = { index, fromUs, toUs, count: 1, failed, found: found[index] as number };
    const beside = narrow[first];
    if (isNarrow && beside && fromUs - beside.toUs < minUs && toUs - beside.fromUs < MAX_JOINED * minUs) {
      join(beside, own, tree);
      freeUs[first] = beside.toUs;
      below[index] = first + 1;
      continue;
    }
    let row = first;
    while (row < MAX_ROWS && (freeUs[row] ?? Number.NEGATIVE_INFINITY) > fromUs) row++;
    if (row === MAX_ROWS) {
      leftOut++;
      continue;
    }
    const block = { ...own, row };
    blocks.push(block);
    freeUs[row] = toUs;
    narrow[row] = isNarrow ? block : null;
    below[index] = row + 1;
  }
  return { blocks, rowCount: freeUs.length, leftOut };
}

function join(block: FlameBlock, other: Omit<FlameBlock, "row">, { spans }: TraceTree): void {
  if ((spans.durationUs[other.index] as number) > (spans.durationUs[block.index] as number)) block.index = other.index;
  block.toUs = Math.max(block.toUs, other.toUs);
  block.count += other.count;
  block.failed += other.failed;
  block.found += other.found;
}
