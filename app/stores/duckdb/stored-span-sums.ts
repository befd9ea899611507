import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { Coverage, MergedSums } from "./merged-sums.ts";
import type { RollUp } from "./roll-up.ts";
import { MINUTE_KEYS, toSpanMinutes } from "./span-sum-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import { toStoredSums } from "./stored-sums.ts";

/** Up to where spans are summed, and sums are merged. */
export interface SpanSumState {
  upTo: number;
  /** What has the rows that are not summed. */
  rows: string;
  hours: Coverage;
}

export function readSpanSumState(rollUp: RollUp, merged: MergedSums): SpanSumState {
  return { upTo: rollUp.upTo("spans"), rows: rollUp.rowsBehind("spans"), hours: merged.coverageOf("span_hours") };
}

const COLUMNS = `${MINUTE_KEYS}, spans, weight, total_us, buckets, weights`;

/**
 * SQL of sums of spans by minute, or by hour where the answer tells nothing smaller apart, those that are not stored yet made from their rows.
 * `filter`: milliseconds since 1970; buckets begin with it. `conditions` name only what the sums have.
 */
export function toSpanSums(
  { upTo, rows, hours }: SpanSumState,
  {
    filter,
    bucketMs,
    conditions,
  }: { filter: { from: number; to: number }; bucketMs: number | null; conditions: SqlConditions },
): string {
  const range = { from: Math.floor(filter.from / MINUTE_MS), to: Math.ceil(filter.to / MINUTE_MS) };
  const isByHour = bucketMs === null || (filter.from % HOUR_MS === 0 && bucketMs % HOUR_MS === 0);
  const stored = toStoredSums(
    {
      columns: COLUMNS,
      where: `${conditions}`,
      slot: "minute",
      parts: { table: "span_minutes", upTo },
      hours: { table: "span_hours", coverage: hours },
    },
    [range],
    isByHour ? "hour" : "minute",
  );
  return `${stored} UNION ALL SELECT ${COLUMNS} FROM (${toSpanMinutes(`ordinal >= ${upTo}`, rows)})
    WHERE ${conditions} AND minute >= ${range.from} AND minute < ${range.to}`;
}
