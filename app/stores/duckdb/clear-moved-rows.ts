import { LOG_ROWS } from "../events/log-table.ts";
import { MOVED_SIGNALS } from "../events/moved-days.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import { type DayFile, isOfDay } from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { deleteLongTexts } from "./long-texts.ts";

const SHAPES = { spans: SPAN_ROWS, logs: LOG_ROWS } as const;
/** Ordinals that one transaction covers. */
const CLEARED_AT_ONCE = 50_000;

/**
 * Deletes the rows of a day file from their table, in several transactions, so that other writes can run in between. It can be interrupted
 * and run again.
 */
export async function clearMovedRows(
  database: DuckdbDatabase,
  file: DayFile,
  { isThere, signal }: { isThere: () => boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const { table } = MOVED_SIGNALS[file.signal];
  const [range] = await database.inBackground((connection) =>
    readRows(
      connection,
      `SELECT min(ordinal)::DOUBLE AS first, max(ordinal)::DOUBLE AS last FROM ${table} WHERE ${isOfDay(file)}`,
      [],
    ),
  );
  if (typeof range?.first !== "number" || typeof range.last !== "number") return;
  for (let from = range.first; from <= range.last; from += CLEARED_AT_ONCE) {
    signal?.throwIfAborted();
    const piece = `${isOfDay(file)} AND ordinal >= ${from} AND ordinal < ${from + CLEARED_AT_ONCE}`;
    await database.transaction(async (connection) => {
      // If the file turned out to be damaged, the rows that the table still has must stay.
      if (!isThere()) return { result: undefined, onCommit: () => undefined };
      await deleteLongTexts(connection, SHAPES[table], piece);
      await connection.run(`DELETE FROM ${table} WHERE ${piece}`);
      return { result: undefined, onCommit: () => undefined };
    });
  }
}
