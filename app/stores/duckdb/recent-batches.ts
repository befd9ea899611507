import { EVENTS } from "../events/event-table.ts";
import { bytesOf, readCell, readIds, type TableRows } from "../events/rows.ts";
import { type StoredEventRow, toStoredEventRow } from "./event-rows.ts";

/** Some 10,000 rows: ten seconds' worth at 1,000 events a second. */
const MAX_BYTES = 6_000_000;

interface Batch {
  /** Ordinal of the first row. */
  from: number;
  rows: TableRows;
  /** Indexes of the rows that were not written. */
  leftOut: readonly number[];
  /** Indexes of the others by their event id, newest last; null until one is looked for. */
  byId: ReadonlyMap<string, number[]> | null;
}

/**
 * The batches that were written last, as they came. While events come in, the latest event of an issue is in one of them, and so is the
 * one that somebody waits for. Reading one row from memory takes less than asking DuckDB, which then is busy with the next batch.
 */
export class RecentBatches {
  /** Oldest first. */
  #batches: Batch[] = [];
  #bytes = 0;

  /** Right after the commit. Those without which there would be too much are forgotten. */
  add(from: number, rows: TableRows, leftOut: readonly number[]): void {
    this.#batches.push({ from, rows, leftOut, byId: null });
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

  /** The newest row with this id in one of these projects; null when no recent batch has one. */
  find(eventId: string, projectIds: readonly number[]): StoredEventRow | null {
    for (let place = this.#batches.length - 1; place >= 0; place--) {
      const batch = this.#batches[place] as Batch;
      batch.byId ??= toIndexesById(batch);
      for (const index of batch.byId.get(eventId)?.toReversed() ?? []) {
        const row = decodeRow(batch.rows, index, batch.from + index);
        if (projectIds.includes(row.event.projectId)) return row;
      }
    }
    return null;
  }

  /** After rows have been deleted, or have changed their issue. */
  clear(): void {
    this.#batches = [];
    this.#bytes = 0;
  }
}

function toIndexesById({ rows, leftOut }: Batch): Map<string, number[]> {
  const isLeftOut = new Set(leftOut);
  const byId = new Map<string, number[]>();
  for (const [index, eventId] of readIds(rows, "event_id").entries()) {
    if (isLeftOut.has(index)) continue;
    const indexes = byId.get(eventId);
    if (indexes) indexes.push(index);
    else byId.set(eventId, [index]);
  }
  return byId;
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
