import type { DuckdbDatabase } from "./duckdb-database.ts";

/** Shares of the searched time, from its end on. Most searches find a page in the first share. */
const SHARES = [1 / 256, 1 / 64, 1 / 16, 1 / 4, 1];

/** Milliseconds since 1970; the end is not in it. */
export interface Times {
  from: number;
  to: number;
}

/**
 * Reads the newest rows of a time, part by part until there are enough, so that no row is read twice. Day files are read in the order of
 * their rows, oldest first: with ten million spans, the newest fifty would take a second.
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
