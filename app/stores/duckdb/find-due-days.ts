import { DAY_MS } from "../../domain/time.ts";
import { type DayOfSignal, MOVED_SIGNAL_NAMES, MOVED_SIGNALS } from "../events/moved-days.ts";
import type { PartTable } from "../events/row-keys.ts";
import type { DayFiles } from "./day-files.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { LONG_BYTES } from "./long-texts.ts";

/** The fewest rows for the file of a day that is over: a footer alone takes some 20 KB. */
const MIN_ROWS = 2_000;
/**
 * The fewest rows for a slice of a day that is not over. Until then, rows are in the table and in the row log: some 2 MB of spans. A day
 * with more rows gets larger slices, because each file costs every query a fifth of a millisecond. A day of 5,000,000 spans has 29 files
 * until it is over, one of 100,000,000 has 48.
 */
const SLICE_ROWS = 20_000;
const SLICE_SHARE = 0.17;
/** Bytes of long texts in a day file: DuckDB holds several texts of a megabyte at once when it reads them. */
const MAX_LONG_BYTES = 8_000_000;

const TABLES: readonly PartTable[] = ["spans", "logs"];

/** See `MovedDays.listDue`. */
export async function findDueDays(
  {
    database,
    minRows = MIN_ROWS,
    sliceRows = SLICE_ROWS,
  }: { database: DuckdbDatabase; minRows: number | undefined; sliceRows: number | undefined },
  files: DayFiles,
  before: number,
): Promise<DayOfSignal[]> {
  const due: DayOfSignal[] = [];
  for (const table of TABLES) {
    const category = table === "spans" ? "category" : "NULL";
    // Reads the table itself, not the view of readers.
    const rows = await database.inBackground((connection) =>
      readRows(
        connection,
        `SELECT (received_at // ${DAY_MS})::DOUBLE AS day, ${category} AS category, count(*)::DOUBLE AS row_count,
           coalesce(sum(${LONG_BYTES}), 0)::DOUBLE AS long_bytes
         FROM ${table} GROUP BY ALL`,
        [],
      ),
    );
    for (const row of rows) {
      const signal = MOVED_SIGNAL_NAMES.find(
        (each) => MOVED_SIGNALS[each].table === table && MOVED_SIGNALS[each].category === row.category,
      );
      if (signal === undefined || Number(row.long_bytes) > MAX_LONG_BYTES) continue;
      const of = { day: Number(row.day), signal };
      const moved = files.ofDay(of).reduce((sum, each) => sum + each.rows, 0);
      const needed = of.day < before ? minRows : Math.max(sliceRows, moved * SLICE_SHARE);
      if (Number(row.row_count) >= needed) due.push(of);
    }
  }
  return due.sort((a, b) => a.day - b.day);
}
