import type { LateLines, LogFilter } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toLogConditions } from "./log-conditions.ts";

/**
 * Counts lines that arrived after the beginning of the filter's time with an earlier time of their own. Reads only columns of numbers.
 * @param lateMs how long after its own time a line must arrive to be late
 */
export async function countLateLines(
  database: DuckdbDatabase,
  filter: Omit<LogFilter, "to" | "where">,
  lateMs: number,
): Promise<LateLines> {
  if (filter.projectIds.length === 0) return { count: 0, earliest: null };
  const conditions = toLogConditions(filter)
    .addRange("received_at", filter.from, null)
    .addRange("occurred_us", null, filter.from * 1000);
  conditions.add(`occurred_us < (received_at - ${Math.trunc(lateMs)}) * 1000`);
  const [row] = await database.read(
    `SELECT count(*)::DOUBLE AS lines, min(occurred_us)::DOUBLE AS earliest FROM logs WHERE ${conditions}`,
    conditions.values,
  );
  return {
    count: Number(row?.lines ?? 0),
    earliest: typeof row?.earliest === "number" ? Math.floor(row.earliest / 1000) : null,
  };
}
