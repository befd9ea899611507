import type { DuckdbDatabase } from "./duckdb-database.ts";

/** Of the time that is searched: most searches find a page in the first, and one that finds little reads a sixteenth more. */
const SHARES = [1 / 256, 1 / 16, 1];

/**
 * Reads the newest rows of a time that are wanted, from its end on: files of days are read in the order of their rows, oldest first, so that ten
 * million spans take a second for the newest fifty.
 *
 * @param read gives the newest rows that began at or after an instant, in milliseconds since 1970
 */
export async function readNewestFirst<Rows>(
  { from, to }: { from: number; to: number },
  { read, isEnough }: { read: (from: number) => Promise<Rows>; isEnough: (rows: Rows) => boolean },
): Promise<Rows> {
  for (const share of SHARES) {
    const rows = await read(share === 1 ? from : Math.floor(to - (to - from) * share));
    if (share === 1 || isEnough(rows)) return rows;
  }
  throw new RangeError("the last share is the whole");
}

/** Without files, a table of some 20,000 rows is read at once. */
export function hasFiles(database: DuckdbDatabase, table: string): boolean {
  return database.sourceOf(table) !== table;
}
