import { expect, test } from "vitest";
import { indexOfId, makeTrace } from "../../../tests/support/make-trace.ts";
import { listOwnTimes } from "./own-times.ts";

const TREE = makeTrace([1, 0, 0, 100], [2, 1, 10, 20], [3, 1, 20, 20], [4, 1, 44, 26], [5, 1, 95, 50]);

const list = (id: number, within: Partial<Record<"from" | "to" | "min", number>> = {}) => {
  const { from = 0, to = 200, min = 1 } = within;
  const part = { fromUs: from * 1_000, toUs: to * 1_000, minUs: min * 1_000 };
  return listOwnTimes(TREE, indexOfId(TREE, id), part).map(([start, end]) => [start / 1_000, end / 1_000]);
};

test("what no child covers, also where children overlap or end later", () => {
  expect(list(1)).toEqual([
    [0, 10],
    [40, 44],
    [70, 95],
  ]);
  expect(list(2)).toEqual([[10, 30]]);
});

test("within a part of the trace", () => {
  expect(list(1, { from: 5, to: 80 })).toEqual([
    [5, 10],
    [40, 44],
    [70, 80],
  ]);
  expect(list(1, { from: 12, to: 18 })).toEqual([]);
});

test("short ones are left out, and those close together are one", () => {
  expect(list(1, { min: 8 })).toEqual([
    [0, 10],
    [70, 95],
  ]);
  expect(list(1, { min: 27 })).toEqual([]);
});
