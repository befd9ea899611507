import { kindOf } from "../../domain/traces/trace-spans.ts";
import { endOf } from "../../domain/traces/trace-tree.ts";
import { MINIMAP_LINES, type MinimapLine } from "./minimap-line.ts";
import type { ReadTrace } from "./read-trace.server.ts";

/** Shorter ones are drawn with it: a picture of the width of a page has not more points. */
const MIN_SHARE = 0.003;
const MAX_LINES_DRAWN = 400;
/** On a line there are fewer. */
const PLACES = 1_000;

const drawn = new WeakMap<ReadTrace, MinimapLine[]>();

/** Once for each trace. Rows in order, several on a line where there are many; of those on a line the longest of each place. */
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
