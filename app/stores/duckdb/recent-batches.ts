import { type EncodedRows, EVENT_COLUMNS } from "./encode-event-batch.ts";
import { type StoredEventRow, toStoredEventRow } from "./event-rows.ts";

/** Some 10,000 rows: ten seconds' worth at 1,000 events a second. */
const MAX_BYTES = 6_000_000;

interface Batch {
  /** Ordinal of the first row. */
  from: number;
  rows: EncodedRows;
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
  add(from: number, rows: EncodedRows): void {
    this.#batches.push({ from, rows });
    this.#bytes += rows.columns.length;
    while (this.#bytes > MAX_BYTES) this.#bytes -= this.#batches.shift()?.rows.columns.length ?? 0;
  }

  /** The row that was written with this ordinal; null when it is none of these. */
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

function decodeRow({ columns, marks }: EncodedRows, index: number, ordinal: number): StoredEventRow {
  const texts = new TextDecoder().decode(columns).split(marks.betweenColumns);
  const row = Object.fromEntries(
    EVENT_COLUMNS.map(({ name, type }, place) => {
      const isText = type === "VARCHAR";
      const cell = nthCell(texts[place] ?? "", isText ? marks.betweenTexts : ",", index);
      if (isText) return [name, cell === marks.null ? null : cell];
      if (type === "BOOLEAN") return [name, cell === "1"];
      return [name, type === "UUID" ? cell : Number(cell)];
    }),
  );
  return toStoredEventRow({ ...row, ordinal });
}

function nthCell(text: string, mark: string, index: number): string {
  let from = 0;
  for (let passed = 0; passed < index; passed++) from = text.indexOf(mark, from) + mark.length;
  const to = text.indexOf(mark, from);
  return to === -1 ? text.slice(from) : text.slice(from, to);
}
