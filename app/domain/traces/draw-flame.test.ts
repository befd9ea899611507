import { expect, test } from "vitest";
import { makeTrace, makeTraceOf, type SpanOfTest } from "../../../tests/support/make-trace.ts";
import { drawFlame, type FlameOptions } from "./draw-flame.ts";
import type { TraceTree } from "./trace-tree.ts";

/** Each block as id, row, begin, end in milliseconds and count. */
function draw(tree: TraceTree, options: Partial<FlameOptions> = {}) {
  const window = { fromUs: 0, toUs: tree.endedUs - tree.startedUs };
  const flame = drawFlame(tree, { window, chosen: null, found: new Uint8Array(tree.spans.count), ...options });
  const blocks = flame.blocks.map(({ index, row, fromUs, toUs, count }) => [
    Number(tree.spans.ids[index]),
    row,
    fromUs / 1000,
    toUs / 1000,
    count,
  ]);
  return { ...flame, blocks };
}

const TREE = makeTrace([1, 0, 0, 100], [2, 1, 10, 40], [3, 1, 50, 40], [4, 1, 20, 50], [5, 3, 60, 10]);

test("each stands below its parent, and those that run at the same time in rows of their own", () => {
  expect(draw(TREE).blocks).toEqual([
    [1, 0, 0, 100, 1],
    [2, 1, 10, 50, 1],
    [3, 1, 50, 90, 1],
    [4, 2, 20, 70, 1],
    [5, 3, 60, 70, 1],
  ]);
});

test("a window cuts those that run beyond it", () => {
  expect(draw(TREE, { window: { fromUs: 55_000, toUs: 65_000 } }).blocks).toEqual([
    [1, 0, 55, 65, 1],
    [4, 1, 55, 65, 1],
    [3, 2, 55, 65, 1],
    [5, 3, 60, 65, 1],
  ]);
});

test("what is left out leaves no row", () => {
  const chosen = Uint8Array.from(TREE.spans.ids, (id) => (id === 3n ? 0 : 1));
  expect(draw(TREE, { chosen }).blocks).toEqual([
    [1, 0, 0, 100, 1],
    [2, 1, 10, 50, 1],
    [5, 1, 60, 70, 1],
    [4, 2, 20, 70, 1],
  ]);
});

test("narrow ones side by side are one block, named by the longest, with what failed and what was found", () => {
  const spans: SpanOfTest[] = [
    [1, 0, 0, 10_000],
    [2, 1, 0, 1],
    [3, 1, 2, 3],
    [4, 1, 6, 1],
    [5, 1, 500, 1],
  ];
  const tree = makeTraceOf(
    spans.map(([id, parent, start, duration]) => [id, parent, start, duration, { status: id === 4 ? "error" : null }]),
  );
  const found = Uint8Array.from(tree.spans.ids, (id) => (id === 2n || id === 5n ? 1 : 0));
  const { blocks } = drawFlame(tree, { window: { fromUs: 0, toUs: 10_000_000 }, chosen: null, found });
  expect(blocks.map(({ count, failed, found }) => [count, failed, found])).toEqual([
    [1, 0, 0],
    [3, 1, 1],
    [1, 0, 1],
  ]);
  expect(draw(tree).blocks[1]).toEqual([3, 1, 0, 7, 3]);
});

test("a page gets no more blocks than it can hold, and each span is in one of them", () => {
  const spans = Array.from({ length: 20_000 }, (_, at): SpanOfTest => [at + 2, at < 40 ? 1 : at - 38, at * 7, 300]);
  const { blocks, leftOut } = draw(makeTraceOf([[1, 0, 0, 150_000], ...spans]));
  expect(blocks.length).toBeLessThanOrEqual(1_500);
  expect(blocks.reduce((sum, [, , , , count]) => sum + (count ?? 0), 0) + leftOut).toBe(20_001);
});
