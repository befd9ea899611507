import { expect, test } from "vitest";
import { readNewestFirst } from "./newest-first.ts";

/** Reads from an instant on, of rows at these instants; remembers from when. */
function search(rows: readonly number[], wanted: number) {
  const asked: number[] = [];
  const read = async (from: number) => {
    asked.push(from);
    return rows.filter((at) => at >= from);
  };
  return {
    asked,
    found: readNewestFirst({ from: 0, to: 2_560 }, { read, isEnough: ({ length }) => length >= wanted }),
  };
}

test("stops at the first share of the time that has enough", async () => {
  const recent = search([10, 2_551, 2_555], 2);
  expect(await recent.found).toEqual([2_551, 2_555]);
  expect(recent.asked).toEqual([2_550]);
  const older = search([10, 2_405, 2_555], 2);
  expect(await older.found).toEqual([2_405, 2_555]);
  expect(older.asked).toEqual([2_550, 2_400]);
});

test("reads all of the time when there are fewer", async () => {
  const few = search([10, 2_555], 3);
  expect(await few.found).toEqual([10, 2_555]);
  expect(few.asked).toEqual([2_550, 2_400, 0]);
});
