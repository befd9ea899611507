import { expect, test } from "vitest";
import { packRows } from "./pack-rows.ts";

const run = (fromUs: number, toUs: number | null) => ({ fromUs, toUs });

test("what overlaps stands in rows of its own, callers above what they call", () => {
  expect(packRows([run(10, 20), run(0, 100), run(30, 40), run(15, 35)])).toEqual([1, 0, 1, 2]);
});

test("a row is free again when its last one has ended", () => {
  expect(packRows([run(0, 10), run(10, 20), run(5, 12), run(12, 15)])).toEqual([0, 0, 1, 1]);
});

test("things of one instant stand one under the other", () => {
  expect(packRows([run(5, null), run(5, null), run(6, null)])).toEqual([0, 1, 0]);
});
