import type { EventRow } from "../events/error-events.ts";
import type { RowBatch } from "../events/event-log.ts";
import { EVENTS } from "../events/event-table.ts";
import { ITEMS } from "../events/item-table.ts";
import { readNumbers, type TableRows } from "../events/rows.ts";
import { EventBatch } from "./event-batch.ts";

export interface LoggedEvent {
  event: EventRow;
  /** True if its batch has rows of items. They may be attachments of this event. */
  hasItems: boolean;
  /** Resolves when its batch is stored, or storing it failed. */
  settled: Promise<void>;
}

interface LoggedBatch {
  events: EventBatch;
  hasItems: boolean;
  settled: Promise<void>;
  /** True if one of its events was found by a reader. */
  isSeen: boolean;
}

/**
 * Events whose rows are in the row log and not in the database yet. They may wait for a checkpoint, for hundreds of milliseconds beside
 * many spans, and somebody may already have their id.
 */
export class LoggedEvents {
  /** Oldest first. */
  readonly #batches: LoggedBatch[] = [];

  /**
   * Holds the events of a batch until they are stored, or until storing failed.
   * @param applied records below this sequence were stored before, and may have been changed since
   */
  async during<Result>(batch: RowBatch, applied: number, store: () => Promise<Result>): Promise<Result> {
    const rows = batch.rows.find(({ table }) => table === EVENTS.name);
    if (rows === undefined) return await store();
    const settled = Promise.withResolvers<void>();
    const logged = {
      events: new EventBatch(rows, 0, () => listLeftOut(rows, batch, applied)),
      hasItems: batch.rows.some(({ table }) => table === ITEMS.name),
      settled: settled.promise,
      isSeen: false,
    };
    this.#batches.push(logged);
    try {
      return await store();
    } finally {
      this.#remove(rows);
      settled.resolve();
    }
  }

  /** Call it when others can see the rows in the database. */
  noteStored(rows: TableRows): void {
    this.#remove(rows);
  }

  /** The newest event with this id in these projects. Null: none is waiting. */
  find(eventId: string, projectIds: readonly number[]): LoggedEvent | null {
    for (const batch of this.#batches.toReversed()) {
      const row = batch.events.find(eventId, projectIds);
      if (row === null) continue;
      batch.isSeen = true;
      return { event: row.event, hasItems: batch.hasItems, settled: batch.settled };
    }
    return null;
  }

  /** Resolves when the events that readers have found here are stored, so that later lists and counts include them. */
  async whenSeenAreStored(): Promise<void> {
    for (const { isSeen, settled } of [...this.#batches]) if (isSeen) await settled;
  }

  #remove(rows: TableRows): void {
    const place = this.#batches.findIndex(({ events }) => events.rows === rows);
    if (place >= 0) this.#batches.splice(place, 1);
  }
}

function listLeftOut(rows: TableRows, { leftOut }: RowBatch, applied: number): number[] {
  const isLeftOut = new Set(leftOut);
  const sequences = readNumbers(rows, "sequence");
  const indexes: number[] = [];
  for (const [index, item] of rows.items.entries()) {
    if (isLeftOut.has(item) || (sequences[index] as number) < applied) indexes.push(index);
  }
  return indexes;
}
