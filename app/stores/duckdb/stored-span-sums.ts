import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { KeptTable } from "./kept-sums.ts";
import type { Coverage, MergedSums } from "./merged-sums.ts";
import type { Times } from "./newest-first.ts";
import type { RollUp } from "./roll-up.ts";
import { MINUTE_KEYS, toSpanMinutes } from "./span-sum-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import { type Minutes, toStoredSums } from "./stored-sums.ts";

/** How far spans are summed, and how far sums are merged. */
export interface SpanSumState {
  upTo: number;
  /** SQL for `FROM`: the rows that are not summed. */
  rows: string;
  hours: Coverage;
}

export function readSpanSumState(rollUp: RollUp, merged: MergedSums): SpanSumState {
  return { upTo: rollUp.upTo("spans"), rows: rollUp.rowsBehind("spans"), hours: merged.coverageOf("span_hours") };
}

const COLUMNS = `${MINUTE_KEYS}, spans, weight, total_us, buckets, weights`;

interface SumsAsked {
  filter: { from: number; to: number };
  bucketMs: number | null;
  conditions: SqlConditions;
}

/**
 * SQL of the sums of spans by minute, or by hour if the buckets are whole hours. Sums that are not stored yet are computed from their rows.
 * `filter` is in milliseconds since 1970, and its start is the start of the first bucket. `conditions` may use only columns of the sums.
 * @param kept sums that are already cached
 */
export function toSpanSums(
  state: SpanSumState,
  asked: SumsAsked,
  kept: Pick<KeptTable, "range" | "upTo"> | null = null,
): string {
  const { upTo, rows } = state;
  const { conditions } = asked;
  const range = toMinutes(asked.filter);
  const stored = kept === null ? toStoredSpanSums(state, asked) : toSumsBeside(kept, upTo, range, conditions);
  return `${stored} UNION ALL SELECT ${COLUMNS} FROM (${toSpanMinutes(`ordinal >= ${upTo}`, rows)})
    WHERE ${conditions} AND minute >= ${range.from} AND minute < ${range.to}`;
}

/** The same, but only the stored sums. */
export function toStoredSpanSums({ upTo, hours }: SpanSumState, { filter, bucketMs, conditions }: SumsAsked): string {
  const isByHour = bucketMs === null || (filter.from % HOUR_MS === 0 && bucketMs % HOUR_MS === 0);
  return toStoredSums(
    {
      columns: COLUMNS,
      where: `${conditions}`,
      slot: "minute",
      parts: { table: "span_minutes", upTo },
      hours: { table: "span_hours", coverage: hours },
    },
    [toMinutes(filter)],
    isByHour ? "hour" : "minute",
  );
}

export function toMinutes({ from, to }: { from: number; to: number }): Minutes {
  return { from: Math.floor(from / MINUTE_MS), to: Math.ceil(to / MINUTE_MS) };
}

/** The whole minutes of a range, and the parts of minutes at its ends. */
export function cutAtMinutes({ from, to }: Times): { whole: Times; cut: Times[] } {
  const begin = Math.ceil(from / MINUTE_MS) * MINUTE_MS;
  const end = Math.floor(to / MINUTE_MS) * MINUTE_MS;
  if (begin > end) return { whole: { from: end, to: end }, cut: [{ from, to }] };
  const cut = [
    { from, to: begin },
    { from: end, to },
  ];
  return { whole: { from: begin, to: end }, cut: cut.filter((times) => times.from < times.to) };
}

/** SQL of the sums of rows in a part of a minute, in the form of `toSpanSums`. */
export function toCutMinutes({ from, to }: Times, source: string, conditions: SqlConditions): string {
  const rows = toSpanMinutes(
    `started_us >= ${Math.ceil(from * 1000)} AND started_us < ${Math.ceil(to * 1000)}`,
    source,
  );
  return `SELECT ${COLUMNS} FROM (${rows}) WHERE ${conditions}`;
}

/** Sums that are not in the cached table: newer pieces, and later minutes. */
function toSumsBeside(
  kept: Pick<KeptTable, "range" | "upTo">,
  upTo: number,
  { from, to }: Minutes,
  conditions: SqlConditions,
): string {
  const read = (where: string) => `SELECT ${COLUMNS} FROM span_minutes WHERE ${conditions} AND ${where}`;
  const since = read(`chunk > ${kept.upTo} AND chunk <= ${upTo} AND minute >= ${from} AND minute < ${to}`);
  if (to <= kept.range.to) return since;
  return `${since} UNION ALL ${read(`chunk <= ${kept.upTo} AND minute >= ${kept.range.to} AND minute < ${to}`)}`;
}
