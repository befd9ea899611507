import { expect, test } from "vitest";
import { indexOfId, makeTrace, type SpanOfTest } from "../../../tests/support/make-trace.ts";
import { findCriticalPath, listPathTimes } from "./critical-path.ts";

function pathOf(...spans: SpanOfTest[]): Array<[number, number, number]> {
  const tree = makeTrace(...spans);
  const { indexes, fromUs, toUs } = findCriticalPath(tree);
  return indexes
    .map((index, place): [number, number, number] => [
      Number(tree.spans.ids[index]),
      (fromUs[place] ?? 0) / 1000,
      (toUs[place] ?? 0) / 1000,
    ])
    .sort((a, b) => a[1] - b[1]);
}

test("alone, a span is its path", () => {
  expect(pathOf([1, 0, 0, 10])).toEqual([[1, 0, 10]]);
});

test("of children that run together, the one that ends last counts", () => {
  expect(pathOf([1, 0, 0, 100], [2, 1, 10, 40], [3, 1, 10, 70])).toEqual([
    [1, 0, 10],
    [3, 10, 80],
    [1, 80, 100],
  ]);
});

test("one after the other, with children of children", () => {
  expect(pathOf([1, 0, 0, 100], [2, 1, 0, 30], [3, 1, 40, 60], [4, 3, 50, 20])).toEqual([
    [2, 0, 30],
    [1, 30, 40],
    [3, 40, 50],
    [4, 50, 70],
    [3, 70, 100],
  ]);
});

test("of children that begin before their parent or end after it, the time inside it counts", () => {
  expect(pathOf([1, 0, 10, 100], [2, 1, 0, 40], [3, 1, 90, 500])).toEqual([
    [2, 10, 40],
    [1, 40, 90],
    [3, 90, 110],
  ]);
});

test("covers the first root from its start to its end without a hole", () => {
  const spans = Array.from({ length: 300 }, (_, at): SpanOfTest => {
    const start = (at * 37) % 900;
    return [at + 2, at === 0 ? 1 : 1 + ((at * 7) % at), start, ((at * 53) % 200) + 1];
  });
  const path = pathOf([1, 0, 0, 1000], ...spans);
  expect(path[0]?.[1]).toBe(0);
  expect(path.at(-1)?.[2]).toBe(1000);
  for (const [at, [, from]] of path.entries()) if (at > 0) expect(from).toBe(path[at - 1]?.[2]);
});

test("the times of a span are cut to a part of the trace, and those close together are one", () => {
  const tree = makeTrace([1, 0, 0, 100], [2, 1, 10, 10], [3, 1, 21, 19], [4, 1, 60, 20]);
  const path = findCriticalPath(tree);
  const list = (id: number, fromUs: number, toUs: number, minUs: number) =>
    listPathTimes(path, indexOfId(tree, id), { fromUs: fromUs * 1000, toUs: toUs * 1000, minUs: minUs * 1000 }).map(
      ([from, to]) => [from / 1000, to / 1000],
    );
  expect(list(1, 0, 100, 1)).toEqual([
    [0, 10],
    [20, 21],
    [40, 60],
    [80, 100],
  ]);
  expect(list(1, 5, 50, 12)).toEqual([
    [5, 21],
    [40, 50],
  ]);
  expect(list(3, 0, 20, 0)).toEqual([]);
  expect(list(4, 0, 100, 0)).toEqual([[60, 80]]);
});
