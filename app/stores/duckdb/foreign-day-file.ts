import { MOVED_SIGNALS, type SliceOfDay } from "../events/moved-days.ts";
import { type DayFileHead, isOfDay } from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { readRebuildState } from "./rebuild-state.ts";

/**
 * Whether a file that the database has not noted belongs to another state of the database, as after an older database was put in its place.
 * Newer rows may have the ordinals of the file's rows then, and no sum counts those. After a crash before the note, every row of the file
 * is in the table. If the file was rewritten, none is.
 */
export function isForeignDayFile(database: DuckdbDatabase, head: DayFileHead): Promise<boolean> {
  return database.inBackground(async (connection) => {
    if ((await readRebuildState(connection)) !== null) return false;
    const [row] = await readRows(
      connection,
      `SELECT count(*)::DOUBLE AS rows, (count(*) FILTER (${isOfDay(head)}))::DOUBLE AS rows_of_day
       FROM ${MOVED_SIGNALS[head.signal].table}`,
      [],
    );
    return Number(row?.rows) > 0 && Number(row?.rows_of_day) !== head.rows;
  });
}

export function isSameSlice(one: SliceOfDay | null, other: SliceOfDay | null): boolean {
  return (
    one !== null && other !== null && one.day === other.day && one.signal === other.signal && one.slice === other.slice
  );
}
