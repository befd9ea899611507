import { expect, test } from "vitest";
import { createFlameSteps } from "./flame-steps.ts";
import type { FlameFrame } from "./flame-view.ts";

const frame = (row: number, fromUs: number, toUs: number, found = 0): FlameFrame => ({
  key: `${row} ${fromUs}`,
  row,
  fromUs,
  toUs,
  count: 1,
  failed: 0,
  found,
  service: 0,
  op: null,
  name: null,
  durationUs: toUs - fromUs,
});

const STEP = createFlameSteps([
  frame(0, 0, 100),
  frame(1, 0, 30, 1),
  frame(1, 40, 90),
  frame(2, 10, 20, 2),
  frame(2, 50, 60),
  frame(2, 70, 80, 1),
]);

test("down leads to the first frame below, up to the one above", () => {
  expect([STEP.below(0), STEP.below(2), STEP.below(3)]).toEqual([1, 4, undefined]);
  expect([STEP.above(5), STEP.above(1), STEP.above(0)]).toEqual([2, 0, undefined]);
});

test("left and right stay in the row", () => {
  expect([STEP.beside(1, 1), STEP.beside(2, 1), STEP.beside(2, -1), STEP.beside(3, -1)]).toEqual([
    2,
    undefined,
    1,
    undefined,
  ]);
});

test("what was found is stepped through by time, round and round, from wherever one is", () => {
  expect([STEP.found(1, 1), STEP.found(3, 1), STEP.found(5, 1), STEP.found(1, -1)]).toEqual([3, 5, 1, 5]);
  expect([STEP.found(4, 1), STEP.found(4, -1)]).toEqual([5, 3]);
  expect(createFlameSteps([frame(0, 0, 1)]).found(0, 1)).toBeUndefined();
});
