import { readTexts, type TableRows } from "../events/rows.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { hashText, toHashNumber } from "./hash-text.ts";
import { NumberIndex } from "./number-index.ts";

/** Types of items that belong to an event and are on its page. */
const EVENT_ITEM_TYPES: readonly string[] = ["attachment", "user_report", "feedback"];

/** With more items, DuckDB is asked for every event. An item takes 24 bytes. */
const MAX_ITEMS = 200_000;

/**
 * Knows which events have an attachment or user feedback. Hardly any has, but each event page asks. A query that finds nothing takes a
 * millisecond of processor time, and ten milliseconds on a busy machine.
 */
export class ItemsOfEvents {
  readonly #database: DuckdbDatabase;
  /** Hashes of the ids. Null: not read yet, or too many. */
  #hashes: NumberIndex | null = null;
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #areTooMany = false;

  constructor(database: DuckdbDatabase) {
    this.#database = database;
  }

  /** False only when the event has no item of these types. */
  async mayHave(eventId: string, types: readonly string[]): Promise<boolean> {
    if (!types.every((type) => EVENT_ITEM_TYPES.includes(type))) return true;
    if (!this.#isLoaded && !this.#areTooMany) await this.#load();
    return this.#hashes === null || this.#hashes.has(hashText(eventId));
  }

  /** Call it right after the commit of the items. */
  addRows(rows: TableRows): void {
    if (this.#hashes === null) return;
    const eventIds = readTexts(rows, "event_id");
    for (const [row, type] of readTexts(rows, "type").entries()) {
      const eventId = eventIds[row] ?? null;
      if (eventId !== null && type !== null && EVENT_ITEM_TYPES.includes(type))
        this.#hashes.numberOf(hashText(eventId));
    }
    this.#dropIfTooMany();
  }

  /** Call it after rows were written without `addRows`: they are read again. */
  forget(): void {
    this.#hashes = null;
    this.#isLoaded = false;
    this.#areTooMany = false;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    // From here on, commits add their rows; the query reads the earlier ones.
    this.#hashes = new NumberIndex();
    try {
      const types = EVENT_ITEM_TYPES.map((_, index) => `$${index + 1}`).join(", ");
      const [hashes = new Float64Array(0)] = await this.#database.readNumbers(
        `SELECT DISTINCT ${toHashNumber("event_id_hash")} FROM items
         WHERE type IN (${types}) AND event_id_hash IS NOT NULL LIMIT ${MAX_ITEMS + 1}`,
        [...EVENT_ITEM_TYPES],
      );
      this.#isLoaded = true;
      for (const hash of hashes) this.#hashes.numberOf(hash);
      this.#dropIfTooMany();
    } catch (error) {
      this.#hashes = null;
      throw error;
    }
  }

  #dropIfTooMany(): void {
    if (this.#hashes === null || this.#hashes.size <= MAX_ITEMS) return;
    this.#hashes = null;
    this.#areTooMany = true;
  }
}
