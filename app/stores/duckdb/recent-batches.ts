import { EVENTS } from "../events/event-table.ts";
import { bytesOf, readCell, type TableRows } from "../events/rows.ts";
import { type StoredEventRow, toStoredEventRow } from "./event-rows.ts";

/** Some 10,000 rows: ten seconds' worth at 1,000 events a second. */
const MAX_BYTES = 6_000_000;

interface Batch {
  /** Ordinal of the first row. */
  from: number;
  rows: TableRows;
}

/**
 * The batches that were written last, as they came. While events come in, the latest event of an issue is in one of them,
 * and reading one row from memory takes less than asking DuckDB, which then is busy with the next batch.
 */
export class RecentBatches {
  /** Oldest first. */
  #batches: Batch[] = [];
  #bytes = 0;

  /** Right after the commit. Those without which there would be too much are forgotten. */
  add(from: number, rows: TableRows): void {
    this.#batches.push({ from, rows });
    this.#bytes += bytesOf(rows);
    while (this.#bytes > MAX_BYTES) {
      const oldest = this.#batches.shift();
      if (oldest) this.#bytes -= bytesOf(oldest.rows);
    }
  }

  /** The row that was written with this ordinal; null when no recent batch has it. */
  read(ordinal: number): StoredEventRow | null {
    const batch = this.#batches.findLast(({ from, rows }) => ordinal >= from && ordinal < from + rows.count);
    return batch ? decodeRow(batch.rows, ordinal - batch.from, ordinal) : null;
  }

  /** After rows have been deleted, or have changed their issue. */
  clear(): void {
    this.#batches = [];
    this.#bytes = 0;
  }
}

function decodeRow(rows: TableRows, index: number, ordinal: number): StoredEventRow {
  const columns = [...EVENTS.columns, ...EVENTS.lateColumns.map((name) => ({ name, type: "integer" as const }))];
  const row = Object.fromEntries(
    columns.map(({ name, type }) => {
      const cell = readCell(rows, name, type, index);
      if (type === "boolean") return [name, cell === "1"];
      return [name, type === "integer" ? Number(cell) : cell];
    }),
  );
  return toStoredEventRow({ ...row, ordinal });
}
