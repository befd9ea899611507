import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { KeptSums } from "./kept-sums.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { readSumCells } from "./transaction-cells.ts";

const DAY = DAY_MS / MINUTE_MS;

/** Whether sums of so many minutes would be kept. */
async function isKept(minutes: number): Promise<boolean> {
  const asked: unknown[] = [];
  const kept = {
    use: (sums: unknown, read: (kept: null) => Promise<string>) => {
      asked.push(sums);
      return read(null);
    },
  } as unknown as KeptSums;
  const merged = { before: 0, chunk: 0 };
  const cells = {
    kind: "transaction",
    keys: { name: "name" },
    sums: ["spans"],
    ranges: [{ from: 0, to: minutes }],
    finest: "hour",
    conditions: new SqlConditions(),
  } as const;
  const sql = await readSumCells(
    { kept, upTo: 0, rows: "spans", hours: merged, days: merged },
    cells,
    async (text) => text,
  );
  expect(sql).toContain(`slot < ${minutes}`);
  return asked.length > 0;
}

test("what is added up of less than a day is not kept: a page looks up some hours beside its weeks", async () => {
  expect(await isKept(DAY)).toBe(true);
  expect(await isKept(DAY - 1)).toBe(false);
});
