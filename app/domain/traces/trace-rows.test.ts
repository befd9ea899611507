import { expect, test } from "vitest";
import { makeTrace, toIds } from "../../../tests/support/make-trace.ts";
import { findGaps, listTraceRows, matchSpans, withAncestors } from "./trace-rows.ts";

const ALL = { folded: new Set<bigint>(), kept: null };

test("what is folded leaves out all below it", () => {
  const tree = makeTrace([1, 0, 0, 9], [2, 1, 0, 3], [3, 2, 0, 1], [4, 1, 4, 3]);
  expect(toIds(tree, listTraceRows(tree, ALL))).toEqual([1, 2, 3, 4]);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, folded: new Set([2n]) }))).toEqual([1, 2, 4]);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, folded: new Set([1n, 2n]) }))).toEqual([1]);
});

test("a time without a span is a row before the span that ends it", () => {
  const tree = makeTrace([1, 0, 0, 500], [2, 1, 100, 100], [3, 1, 260, 100], [4, 1, 365, 10]);
  expect([...findGaps(tree).values()]).toEqual([60_000]);
  expect(toIds(tree, listTraceRows(tree, ALL))).toEqual([1, 2, -3, 3, 4]);
  expect(toIds(tree, listTraceRows(tree, { ...ALL, folded: new Set([1n]) }))).toEqual([1]);
});

test("a long trace needs longer gaps, and none is told after the parent has ended", () => {
  expect(findGaps(makeTrace([1, 0, 0, 60_000], [2, 1, 0, 10], [3, 1, 400, 10]))).toEqual(new Map());
  expect(findGaps(makeTrace([1, 0, 0, 100], [2, 1, 0, 10], [3, 1, 400, 10]))).toEqual(new Map());
});

test("spans are found by op, name, service, status and id, and stand with their ancestors", () => {
  const tree = makeTrace(
    [1, 0, 0, 9],
    [2, 1, 0, 3, { op: "db", name: "SELECT 1", service: "postgres" }],
    [0xabcd, 1, 4, 3, { status: "not_found", httpStatus: 404 }],
  );
  const found = (words: string) => [...matchSpans(tree, words)].flatMap((is, index) => (is ? [index] : []));
  expect(found("select")).toEqual([1]);
  expect(found(" POSTGRES ")).toEqual([1]);
  expect(found("404")).toEqual([2]);
  expect(found("000000000000abcd")).toEqual([2]);
  expect(found("")).toEqual([]);
  const kept = withAncestors(tree, matchSpans(tree, "select"));
  expect(toIds(tree, listTraceRows(tree, { folded: new Set(), kept }))).toEqual([1, 2]);
});
