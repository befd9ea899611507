import { expect, test } from "vitest";
import { indexOfId, makeTrace, makeTraceOf, toIds } from "../../../tests/support/make-trace.ts";
import { isOrphan } from "./trace-tree.ts";

test("parents stand before their children, and siblings in the order in which they began", () => {
  const tree = makeTrace([4, 1, 50, 10], [3, 2, 20, 5], [1, 0, 0, 100], [2, 1, 10, 30]);
  expect(toIds(tree, tree.order)).toEqual([1, 2, 3, 4]);
  expect([...tree.order].map((index) => tree.depths[index])).toEqual([0, 1, 2, 1]);
  expect([...tree.sizes]).toEqual([4, 2, 1, 1]);
  expect(tree.childCounts[indexOfId(tree, 1)]).toBe(2);
});

test("own time is what no child covers, also where children overlap or end later", () => {
  const tree = makeTrace([1, 0, 0, 100], [2, 1, 10, 30], [3, 1, 20, 30], [4, 1, 90, 50]);
  // 0 to 10 and 50 to 90.
  expect(tree.selfUs[indexOfId(tree, 1)]).toBe(50_000);
});

test("spans whose parent did not arrive stand after the roots", () => {
  const tree = makeTrace([1, 99, 0, 10], [2, 0, 5, 10], [3, 1, 6, 1]);
  expect(toIds(tree, tree.order)).toEqual([2, 1, 3]);
  expect([tree.rootCount, tree.orphanCount]).toEqual([1, 1]);
  expect(isOrphan(tree, indexOfId(tree, 1))).toBe(true);
  expect(isOrphan(tree, indexOfId(tree, 3))).toBe(false);
});

test.for([
  ["its own parent", [[1, 1, 0, 10]], [1]],
  [
    "each other's parents",
    [
      [1, 2, 0, 10],
      [2, 1, 1, 10],
    ],
    [1, 2],
  ],
  [
    "a circle with a tail",
    [
      [1, 3, 0, 10],
      [2, 1, 1, 10],
      [3, 2, 2, 10],
      [4, 3, 3, 1],
    ],
    [1, 2, 3, 4],
  ],
  [
    "a tail that begins first",
    [
      [4, 3, 0, 1],
      [1, 3, 1, 10],
      [2, 1, 2, 10],
      [3, 2, 3, 10],
    ],
    [1, 2, 3, 4],
  ],
] as const)("each span stands once, with spans that are %s", ([, spans, ids]) => {
  const tree = makeTrace(...spans);
  expect(toIds(tree, tree.order)).toEqual(ids);
  expect([tree.orphanCount, tree.circleCount]).toEqual([0, 1]);
});

test("of spans with one id the first is the parent", () => {
  const tree = makeTrace([1, 0, 0, 10], [1, 0, 5, 10], [2, 1, 6, 1]);
  expect(toIds(tree, tree.order)).toEqual([1, 2, 1]);
});

test("a trace before 1970 ends with its last span", () => {
  const tree = makeTrace([1, 0, -1_000, 100], [2, 1, -950, 200]);
  expect([tree.startedUs, tree.endedUs]).toEqual([-1_000_000, -750_000]);
});

test("a chain of 200,000 spans is a tree", () => {
  const tree = makeTraceOf(Array.from({ length: 200_000 }, (_, at) => [at + 1, at, at, 300_000]));
  expect(tree.order).toHaveLength(200_000);
  expect(tree.sizes[0]).toBe(200_000);
  expect(tree.depths[199_999]).toBe(199_999);
});

test("nothing is a tree of nothing", () => {
  expect(makeTrace().order).toHaveLength(0);
});
