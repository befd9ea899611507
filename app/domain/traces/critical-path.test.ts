import { expect, test } from "vitest";
import { makeTrace, type SpanOfTest } from "../../../tests/support/make-trace.ts";
import { findCriticalPath } from "./critical-path.ts";

function pathOf(...spans: SpanOfTest[]): Array<[number, number, number]> {
  const tree = makeTrace(...spans);
  return findCriticalPath(tree).map(({ index, fromUs, toUs }) => [
    Number(tree.spans.ids[index]),
    fromUs / 1000,
    toUs / 1000,
  ]);
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
