import { expect, test } from "vitest";
import {
  areBelow,
  isApplied,
  maxPositions,
  readPositions,
  toRangesBetween,
  toRangesFrom,
} from "./journal-positions.ts";

const JOURNALS = [
  { id: "a", firstSequence: 0 },
  { id: "b", firstSequence: 100 },
];

test("everything is applied once the store has reached each journal's position", async () => {
  const applied = new Map([["a", 7]]);
  const store = { appliedSequence: async (id: string) => applied.get(id) ?? 0 };
  expect(await readPositions(store, JOURNALS)).toEqual([7, 100]);
  expect(await isApplied(store, JOURNALS, [7, 100])).toBe(true);
  expect(await isApplied(store, JOURNALS, [8, 100])).toBe(false);
  expect(await isApplied(store, JOURNALS, [7, 101])).toBe(false);
  applied.set("b", 101);
  expect(await isApplied(store, JOURNALS, [7, 101])).toBe(true);
  expect(areBelow([7], [7, 100])).toBe(true);
});

test("records from positions on, also of a journal that an earlier version did not have", () => {
  expect(toRangesFrom(JOURNALS, [7, 103])).toEqual([
    { from: 7, to: 100 },
    { from: 103, to: null },
  ]);
  expect(toRangesFrom(JOURNALS, [7])).toEqual([
    { from: 7, to: 100 },
    { from: 100, to: null },
  ]);
});

test("records between positions", () => {
  expect(toRangesBetween([7, 103], [9, 103])).toEqual([{ from: 7, to: 9 }]);
  expect(toRangesBetween([7, 103], [7, 104])).toEqual([{ from: 103, to: 104 }]);
  expect(toRangesBetween([9, 104], [7, 104])).toEqual([]);
  expect(maxPositions([7, 103], [9, 100])).toEqual([9, 103]);
});
