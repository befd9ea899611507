import type { TraceFilter } from "../events/spans.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { RowRange } from "./reader-views.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Where the spans of a trace lie: the parts of traces know it of rows that are summed, so few files and few of their row groups are read. */
export interface TracePlace {
  ranges: readonly RowRange[];
  /** SQL; values are bound, so that statements for different traces are the same text, which is prepared once. */
  addTo(conditions: SqlConditions): void;
}

/** @param upTo rows below this ordinal are summed */
export async function findTracePlace(
  database: DuckdbDatabase,
  upTo: number,
  { projectIds, traceId }: Pick<TraceFilter, "projectIds" | "traceId">,
): Promise<TracePlace> {
  const conditions = new SqlConditions().addProjects(projectIds);
  const parts = await database.read(
    `SELECT category, min(first_ordinal)::DOUBLE AS first, max(last_ordinal)::DOUBLE AS last FROM trace_parts
     WHERE chunk <= ${upTo} AND ${conditions} AND trace_id = ${conditions.bind(traceId)}::UUID GROUP BY category`,
    conditions.values,
  );
  const summed = parts.map(({ category, first, last }) => ({
    category: String(category),
    firstOrdinal: Number(first),
    lastOrdinal: Number(last),
  }));
  const first = Math.min(upTo, ...summed.map(({ firstOrdinal }) => firstOrdinal));
  const last = Math.max(...summed.map(({ lastOrdinal }) => lastOrdinal));
  return {
    ranges: [...summed, { firstOrdinal: upTo }],
    addTo(where) {
      where.add(`ordinal >= ${where.bind(first)}`);
      if (summed.length > 0) where.add(`(ordinal <= ${where.bind(last)} OR ordinal >= ${where.bind(upTo)})`);
    },
  };
}
