import { cutText } from "../../domain/cut-text.ts";
import { drawFlame, type Flame } from "../../domain/traces/draw-flame.ts";
import { kindOf } from "../../domain/traces/trace-spans.ts";
import type { FlameGraph } from "./flame-view.ts";
import { keyOfSpan, type ReadTrace } from "./read-trace.server.ts";
import type { SelectedSpans } from "./select-spans.server.ts";

/** Characters. A frame has no room for more. */
const MAX_NAME_LENGTH = 120;

const drawn = new WeakMap<SelectedSpans, Flame>();

/** Draws the flame graph of a selection, once for each selection. */
export function drawFlameOfTrace({ tree, serviceIndexes }: ReadTrace, selected: SelectedSpans): FlameGraph {
  const { found, chosen, chosenCount } = selected;
  const window = selected.window ?? { fromUs: 0, toUs: tree.endedUs - tree.startedUs };
  const flame = drawn.get(selected) ?? drawFlame(tree, { window, chosen, found });
  drawn.set(selected, flame);
  const { blocks, rowCount, leftOut } = flame;
  const frames = blocks.map(({ index, ...block }) => {
    const { service, op, name } = kindOf(tree.spans, index);
    return {
      ...block,
      key: keyOfSpan(tree, index),
      service: serviceIndexes.get(service) ?? 0,
      op,
      name: name && cutText(name, MAX_NAME_LENGTH),
      durationUs: tree.spans.durationUs[index] as number,
    };
  });
  return { frames, rowCount, leftOut, spanCount: chosenCount };
}
