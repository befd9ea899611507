import { MOVED_SIGNALS, type SliceOfDay } from "../events/moved-days.ts";
import { type DayFileHead, isOfDay } from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { readRebuildState } from "./rebuild-state.ts";

/**
 * Whether a file that is not noted was made of another state of the database, as after an older one took its place: its rows may have ordinals that
 * others have got since, and are in no sums. One that was cut off before it could note the file still has each of its rows; one that is made anew has none.
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
