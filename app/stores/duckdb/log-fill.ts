import type { RowBatch } from "../events/event-log.ts";
import { EVENTS } from "../events/event-table.ts";
import { bytesOf } from "../events/rows.ts";
import { ROW_GROUP_SIZE } from "./duckdb-database.ts";

export interface LogLimits {
  /** Bytes of the appended columns. */
  bytes: number;
  events: number;
}

/**
 * Bytes: with more than 20 MB, rows outside of the file take more memory, and opening the store after a crash takes longer (20 MB: 0.2 s).
 * Events: rows after a checkpoint begin a new row group, and the next checkpoint keeps a group that is nearly full. It joins four or five
 * smaller groups into three, in memory. A batch adds some hundred rows before the limit is noticed.
 */
export const LOG_LIMITS: LogLimits = { bytes: 20_000_000, events: ROW_GROUP_SIZE - 1_480 };

/** Counts the contents of DuckDB's log that are not in the file yet. */
export class LogFill {
  readonly #limits: LogLimits;
  #bytes = 0;
  #events = 0;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  /** @returns the bytes of the batch */
  add(batch: RowBatch): number {
    let bytes = 0;
    for (const rows of batch.rows) {
      bytes += bytesOf(rows);
      if (rows.table === EVENTS.name) this.#events += rows.count;
    }
    this.#bytes += bytes;
    return bytes;
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Runs a checkpoint when one is due. The rows from before its start count as written to the file, unless it fails. */
  async emptyWhenDue(checkpoint: () => Promise<boolean>): Promise<void> {
    if (this.#bytes < this.#limits.bytes && this.#events < this.#limits.events) return;
    const [bytes, events] = [this.#bytes, this.#events];
    this.#bytes = 0;
    this.#events = 0;
    if (await checkpoint()) return;
    this.#bytes += bytes;
    this.#events += events;
  }
}
