import type { TraceFilter } from "../events/spans.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { RowRange } from "./reader-views.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** The start of the first span and the end of the last one, in microseconds since 1970. */
export interface SpanTimes {
  fromUs: number;
  toUs: number;
}

/** Where the rows of a trace are. For summed rows, the sums of traces say it, so few files and few of their row groups are read. */
export interface TracePlace {
  /** When the summed spans ran. Null: none are summed. */
  times: SpanTimes | null;
  ranges: readonly RowRange[];
  /**
   * Adds conditions on ordinals. Their values are bound, so that statements for different traces have the same text, which is prepared
   * once.
   */
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
    `SELECT category, min(first_ordinal)::DOUBLE AS first, max(last_ordinal)::DOUBLE AS last,
       min(first_us)::DOUBLE AS first_us, max(last_us)::DOUBLE AS last_us FROM trace_parts
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
  const fromUs = Math.min(...parts.map((part) => Number(part.first_us)));
  const toUs = Math.max(...parts.map((part) => Number(part.last_us)));
  return {
    times: parts.length === 0 ? null : { fromUs, toUs },
    ranges: [...summed, { firstOrdinal: upTo }],
    addTo(where) {
      where.add(`ordinal >= ${where.bind(first)}`);
      if (summed.length > 0) where.add(`(ordinal <= ${where.bind(last)} OR ordinal >= ${where.bind(upTo)})`);
    },
  };
}
