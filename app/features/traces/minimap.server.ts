import { kindOf } from "../../domain/traces/trace-spans.ts";
import { endOf } from "../../domain/traces/trace-tree.ts";
import { MINIMAP_LINES, type MinimapLine } from "./minimap-line.ts";
import type { ReadTrace } from "./read-trace.server.ts";

/** Share of the width. Shorter spans are drawn with this length, because a page is not wide enough for less. */
const MIN_SHARE = 0.003;
const MAX_LINES_DRAWN = 400;
/** The step between the numbers of the first places of two lines. A line has fewer places. */
const PLACES = 1_000;

const drawn = new WeakMap<ReadTrace, MinimapLine[]>();

/**
 * The overview of a trace, drawn once for each trace. It has rows in order, several on a line if there are many. If spans of a line
 * begin at the same place, only the longest is drawn.
 */
export function drawMinimap(trace: ReadTrace): MinimapLine[] {
  const lines = drawn.get(trace) ?? draw(trace);
  drawn.set(trace, lines);
  return lines;
}

function draw({ tree, serviceIndexes }: ReadTrace): MinimapLine[] {
  const { spans, order } = tree;
  const duration = Math.max(1, tree.endedUs - tree.startedUs);
  const rowsOnLine = Math.max(1, order.length / MINIMAP_LINES);
  const byPlace = new Map<number, MinimapLine>();
  for (const [row, index] of order.entries()) {
    const line = Math.floor(row / rowsOnLine);
    const from = ((spans.startedUs[index] as number) - tree.startedUs) / duration;
    const to = Math.max(from + MIN_SHARE, (endOf(spans, index) - tree.startedUs) / duration);
    const place = line * PLACES + Math.floor(from / MIN_SHARE / 8);
    const known = byPlace.get(place);
    if (known !== undefined && known.to - known.from >= to - from) continue;
    byPlace.set(place, { line, from, to, service: serviceIndexes.get(kindOf(spans, index).service) ?? 0 });
  }
  return [...byPlace.values()]
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_LINES_DRAWN)
    .sort((a, b) => a.line - b.line || a.from - b.from);
}
