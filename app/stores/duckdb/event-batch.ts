import { EVENTS } from "../events/event-table.ts";
import { readCell, readIds, type TableRows } from "../events/rows.ts";
import { type StoredEventRow, toStoredEventRow } from "./event-rows.ts";

const COLUMNS = [...EVENTS.columns, ...EVENTS.lateColumns.map((name) => ({ name, type: "integer" as const }))];

/** The events of one batch in memory, which can be read without the database. */
export class EventBatch {
  readonly rows: TableRows;
  /** Ordinal of the first row. */
  readonly from: number;
  readonly #listLeftOut: () => readonly number[];
  #indexesById: ReadonlyMap<string, number[]> | null = null;

  /** @param listLeftOut indexes of the rows that are not written; asked for once somebody looks for an id */
  constructor(rows: TableRows, from: number, listLeftOut: () => readonly number[]) {
    this.rows = rows;
    this.from = from;
    this.#listLeftOut = listLeftOut;
  }

  has(ordinal: number): boolean {
    return ordinal >= this.from && ordinal < this.from + this.rows.count;
  }

  read(ordinal: number): StoredEventRow {
    const row = Object.fromEntries(
      COLUMNS.map(({ name, type }) => {
        const cell = readCell(this.rows, name, type, ordinal - this.from);
        if (type === "boolean") return [name, cell === "1"];
        return [name, type === "integer" ? Number(cell) : cell];
      }),
    );
    return toStoredEventRow({ ...row, ordinal });
  }

  /** The newest row with this id in one of these projects; null when there is none. */
  find(eventId: string, projectIds: readonly number[]): StoredEventRow | null {
    this.#indexesById ??= this.#toIndexesById();
    for (const index of this.#indexesById.get(eventId)?.toReversed() ?? []) {
      const row = this.read(this.from + index);
      if (projectIds.includes(row.event.projectId)) return row;
    }
    return null;
  }

  #toIndexesById(): Map<string, number[]> {
    const isLeftOut = new Set(this.#listLeftOut());
    const byId = new Map<string, number[]>();
    for (const [index, eventId] of readIds(this.rows, "event_id").entries()) {
      if (isLeftOut.has(index)) continue;
      const indexes = byId.get(eventId);
      if (indexes) indexes.push(index);
      else byId.set(eventId, [index]);
    }
    return byId;
  }
}
