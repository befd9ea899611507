import { bytesOf, freeRows, type TableRows } from "../events/rows.ts";
import { EventBatch } from "./event-batch.ts";
import type { StoredEventRow } from "./event-rows.ts";

/** Some 10,000 rows: ten seconds at 1,000 events a second. */
const MAX_BYTES = 6_000_000;

/**
 * Keeps the batches that were written last. While events come in, the latest event of an issue is in one of them, and so is the event that
 * somebody waits for. Reading it from memory is faster than a query, because DuckDB is busy with the next batch.
 */
export class RecentBatches {
  /** Oldest first. */
  #batches: EventBatch[] = [];
  #bytes = 0;

  /** Call it right after the commit, when nobody else needs the rows. Forgets the oldest batches beyond the limit, and frees their memory. */
  add(from: number, rows: TableRows, leftOut: readonly number[]): void {
    this.#batches.push(new EventBatch(rows, from, () => leftOut));
    this.#bytes += bytesOf(rows);
    while (this.#bytes > MAX_BYTES) {
      const oldest = this.#batches.shift();
      if (!oldest) continue;
      this.#bytes -= bytesOf(oldest.rows);
      if (oldest.rows !== rows) freeRows(oldest.rows);
    }
  }

  /** The row that was written with this ordinal; null when no recent batch has it. */
  read(ordinal: number): StoredEventRow | null {
    return this.#batches.findLast((batch) => batch.has(ordinal))?.read(ordinal) ?? null;
  }

  /** The newest row with this id in one of these projects; null when no recent batch has one. */
  find(eventId: string, projectIds: readonly number[]): StoredEventRow | null {
    for (const batch of this.#batches.toReversed()) {
      const row = batch.find(eventId, projectIds);
      if (row) return row;
    }
    return null;
  }

  /** Call it after rows were deleted, or moved to another issue. */
  clear(): void {
    this.#batches = [];
    this.#bytes = 0;
  }
}
