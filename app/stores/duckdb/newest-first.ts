import type { DuckdbDatabase } from "./duckdb-database.ts";

/** Of the time that is searched, from its end on: most searches find a page in the first. */
const SHARES = [1 / 256, 1 / 64, 1 / 16, 1 / 4, 1];

/** Milliseconds since 1970; the end is not in it. */
export interface Times {
  from: number;
  to: number;
}

/**
 * Reads the newest rows of a time until there are enough, part by part, so that nothing is read twice: files of days are read in the order of their
 * rows, oldest first, and ten million spans take a second for the newest fifty.
 *
 * @param read gives the newest rows of a part
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

/** Without files, a table of some 20,000 rows is read at once. */
export function hasFiles(database: DuckdbDatabase, table: string): boolean {
  return database.sourceOf(table) !== table;
}
