import type { DuckdbDatabase } from "./duckdb-database.ts";

/** Shares of the searched time, counted from its end. Most searches find a page in the first share. */
const SHARES = [1 / 256, 1 / 64, 1 / 16, 1 / 4, 1];

/** Milliseconds since 1970; `to` is exclusive. */
export interface Times {
  from: number;
  to: number;
}

/**
 * Reads the rows of a time in parts, newest part first, until the caller has enough. DuckDB reads day files in the order of their rows,
 * oldest first: with ten million spans, the newest fifty would take a second.
 *
 * @param read returns the newest rows of a part
 */
export async function* readNewestFirst<Rows>(
  { from, to }: Times,
  read: (part: Times) => Promise<Rows>,
): AsyncGenerator<Rows> {
  let end = to;
  for (const share of SHARES) {
    const begin = share === 1 ? from : Math.floor(to - (to - from) * share);
    if (begin < end) yield await read({ from: begin, to: end });
    end = begin;
  }
}

/** Without files, a table has some 20,000 rows, which are read at once. */
export function hasFiles(database: DuckdbDatabase, table: string): boolean {
  return database.sourceOf(table) !== table;
}
