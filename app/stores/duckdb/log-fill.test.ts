import { expect, test } from "vitest";
import type { RowBatch } from "../events/event-log.ts";
import { LogFill } from "./log-fill.ts";

const LIMITS = { bytes: 1_000, events: 10 };

function batchOf(table: string, count: number, bytes: number): RowBatch {
  const rows = { table, count, marks: { between: "\n", null: "-" }, columns: { text: Buffer.alloc(bytes) } };
  return { journalId: "journal", from: 0, to: 1, rows: [rows] } as unknown as RowBatch;
}

/** How many checkpoints were begun. */
async function countCheckpoints(fill: LogFill, isDone = true): Promise<number> {
  let count = 0;
  await fill.emptyWhenDue(async () => {
    count++;
    return isDone;
  });
  return count;
}

test("bytes of all tables, or the events of a row group, make a checkpoint due", async () => {
  const fill = new LogFill(LIMITS);
  expect(fill.add(batchOf("spans", 500, 600))).toBe(600);
  expect(await countCheckpoints(fill)).toBe(0);
  fill.addBytes(400);
  expect(await countCheckpoints(fill)).toBe(1);
  expect(await countCheckpoints(fill)).toBe(0);

  fill.add(batchOf("events", 9, 90));
  expect(await countCheckpoints(fill)).toBe(0);
  fill.add(batchOf("events", 1, 10));
  expect(await countCheckpoints(fill)).toBe(1);
  expect(await countCheckpoints(fill)).toBe(0);
});

test("what a checkpoint could not take is due again, with what came meanwhile", async () => {
  const fill = new LogFill(LIMITS);
  fill.add(batchOf("events", 10, 90));
  await fill.emptyWhenDue(async () => {
    fill.add(batchOf("events", 4, 40));
    expect(await countCheckpoints(fill)).toBe(0);
    return false;
  });
  expect(await countCheckpoints(fill)).toBe(1);

  fill.add(batchOf("events", 10, 90));
  await fill.emptyWhenDue(async () => {
    fill.add(batchOf("events", 4, 40));
    return true;
  });
  fill.add(batchOf("events", 5, 50));
  expect(await countCheckpoints(fill)).toBe(0);
  fill.add(batchOf("events", 1, 10));
  expect(await countCheckpoints(fill)).toBe(1);
});
