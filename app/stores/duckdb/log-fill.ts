import type { RowBatch } from "../events/event-log.ts";
import { EVENTS } from "../events/event-table.ts";
import { bytesOf } from "../events/rows.ts";
import { ROW_GROUP_SIZE } from "./duckdb-database.ts";

export interface LogLimits {
  /** Of columns as they were appended. */
  bytes: number;
  events: number;
}

/**
 * 20 MB: more would be more memory for rows that are not in the file yet, and a longer opening after a crash (20 MB: 0.2 s).
 *
 * Events: what comes after a checkpoint begins a row group. The next checkpoint leaves it as it is where it is nearly full; of smaller ones it
 * joins four or five into three, in memory. Batches add some hundred rows to what is due.
 */
export const LOG_LIMITS: LogLimits = { bytes: 20_000_000, events: ROW_GROUP_SIZE - 1_480 };

/** What DuckDB's log has that is not in the file yet. */
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

  /** Runs a checkpoint when one is due. What it takes counts as being in the file from its begin, unless it says that it is not. */
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
