import type { EventRow } from "../events/error-events.ts";
import type { StoredEventRow } from "./event-rows.ts";

const MAX_ROWS = 256;
const MAX_IDS = 16_384;

/** Caches rows and ids of events that were just read or written. People who open an event soon open its neighbours, too. */
export class RecentEvents {
  /** Rows by event id, oldest first. */
  readonly #rows = new Map<string, StoredEventRow>();
  /** Event ids by ordinal, oldest first. No other event ever gets the same ordinal. */
  readonly #ids = new Map<number, string>();
  #generation = 0;

  /** Grows when rows change. Rows that were read before may be wrong. */
  get generation(): number {
    return this.#generation;
  }

  getRow(eventId: string): StoredEventRow | null {
    return this.#rows.get(eventId) ?? null;
  }

  getId(ordinal: number): string | null {
    return this.#ids.get(ordinal) ?? null;
  }

  /** @param generation its value before the row was read */
  addRow(row: StoredEventRow, generation: number): void {
    this.addId(row.ordinal, row.event.eventId);
    if (generation !== this.#generation) return;
    this.#rows.delete(row.event.eventId);
    this.#rows.set(row.event.eventId, row);
    if (this.#rows.size > MAX_ROWS) deleteFirst(this.#rows);
  }

  addId(ordinal: number, eventId: EventRow["eventId"]): void {
    this.#ids.set(ordinal, eventId);
    if (this.#ids.size > MAX_IDS) deleteFirst(this.#ids);
  }

  /** Call it after rows were deleted, or moved to another issue. */
  clearRows(): void {
    this.#generation++;
    this.#rows.clear();
  }
}

function deleteFirst<Key>(map: Map<Key, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
