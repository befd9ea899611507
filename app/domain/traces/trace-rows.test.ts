import { expect, test } from "vitest";
import { makeTrace, toIds } from "../../../tests/support/make-trace.ts";
import { findGaps, listTraceRows, withAncestors } from "./trace-rows.ts";

const ALL = { folded: new Set<bigint>(), kept: null, gaps: null };

test("what is folded leaves out all below it", () => {
  const tree = makeTrace([1, 0, 0, 9], [2, 1, 0, 3], [3, 2, 0, 1], [4, 1, 4, 3]);
  expect(toIds(tree, listTraceRows(tree, ALL))).toEqual([1, 2, 3, 4]);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, folded: new Set([2n]) }))).toEqual([1, 2, 4]);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, folded: new Set([1n, 2n]) }))).toEqual([1]);
});

test("a time without a span is a row before the span that ends it", () => {
  const tree = makeTrace([1, 0, 0, 500], [2, 1, 100, 100], [3, 1, 260, 100], [4, 1, 365, 10]);
  expect([...findGaps(tree).values()]).toEqual([60_000]);
  const gaps = findGaps(tree);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, gaps }))).toEqual([1, 2, -3, 3, 4]);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, gaps, folded: new Set([1n]) }))).toEqual([1]);
  const kept = Uint8Array.from(tree.spans.ids, (id) => (id === 2n ? 0 : 1));
  expect(toIds(tree, listTraceRows(tree, { ...ALL, gaps, kept }))).toEqual([1, -3, 3, 4]);
});

test("a long trace needs longer gaps, and none is told after the parent has ended", () => {
  expect(findGaps(makeTrace([1, 0, 0, 60_000], [2, 1, 0, 10], [3, 1, 400, 10]))).toEqual(new Map());
  expect(findGaps(makeTrace([1, 0, 0, 100], [2, 1, 0, 10], [3, 1, 400, 10]))).toEqual(new Map());
});

test("spans stand with their ancestors", () => {
  const tree = makeTrace([1, 0, 0, 9], [2, 1, 0, 3], [3, 2, 1, 1], [4, 1, 4, 3]);
  const kept = withAncestors(
    tree,
    Uint8Array.from(tree.spans.ids, (id) => (id === 3n ? 1 : 0)),
  );
  expect(toIds(tree, listTraceRows(tree, { ...ALL, kept }))).toEqual([1, 2, 3]);
});
