import { expect, test } from "vitest";
import type { TableRows } from "../events/rows.ts";
import { RecentBatches } from "./recent-batches.ts";

/** One row with this many bytes. */
function makeRows(bytes: number): TableRows {
  return {
    table: "events",
    count: 1,
    items: Int32Array.of(0),
    columns: { event_id: new TextEncoder().encode("a".repeat(32)), tags: new Uint8Array(bytes) },
    lateColumns: [],
    marks: { between: "\x1f", null: "\x1c" },
  };
}

test("the oldest batches beyond six megabytes are freed, and the others are not", () => {
  const recent = new RecentBatches();
  const batches = Array.from({ length: 4 }, () => makeRows(2_000_000));
  for (const [from, rows] of batches.entries()) recent.add(from, rows, []);
  expect(batches.map(({ columns }) => columns.tags?.length)).toEqual([0, 0, 2_000_000, 2_000_000]);
});

test("a batch that is too large to be kept is left to those that still write it", () => {
  const rows = makeRows(7_000_000);
  new RecentBatches().add(0, rows, []);
  expect(rows.columns.tags?.length).toBe(7_000_000);
});
