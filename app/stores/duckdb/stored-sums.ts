import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { Coverage } from "./merged-sums.ts";

/** The tables that have sums of one kind, by minute, hour and day. */
export interface StoredSums {
  /** SQL of the columns to read, which every table has. */
  columns: string;
  /** SQL of the condition on rows, with columns that every table has. */
  where: string;
  /** The column of minutes since 1970. */
  slot: "slot" | "minute";
  parts: { table: string; where?: string; upTo: number };
  hours: { table: string; coverage: Coverage };
  days?: { table: string; coverage: Coverage };
}

/** Minutes since 1970; `from` is inclusive, `to` is exclusive. */
export interface Minutes {
  from: number;
  to: number;
}

const HOUR = HOUR_MS / MINUTE_MS;
const DAY = DAY_MS / MINUTE_MS;
/** Fewer days than this are read as hours, because planning takes 2 ms for each table. */
const MIN_DAYS = 3;

/**
 * SQL of the sums in some ranges: days and hours where they are merged and wholly within one of the ranges, and parts for all else.
 * @param ranges follow one another
 * @param finest the largest unit that may be read: the answer tells smaller times apart than larger units would
 */
export function toStoredSums(
  { columns, where, slot, parts, hours, days }: StoredSums,
  ranges: readonly Minutes[],
  finest: "minute" | "hour" | "day",
): string {
  const isRange = ({ from, to }: Minutes) => `(${slot} >= ${from} AND ${slot} < ${to})`;
  const isIn = (these: readonly Minutes[]) => (these.length === 0 ? "false" : these.map(isRange).join(" OR "));
  const byHour = finest === "minute" ? [] : toWhole(ranges, HOUR, hours.coverage.before);
  const byDay = finest === "day" && days ? toWhole(ranges, DAY, days.coverage.before) : [];
  const hasDays = byDay.reduce((sum, { from, to }) => sum + to - from, 0) >= MIN_DAYS * DAY;
  const read = (table: string, conditions: readonly string[]) =>
    `SELECT ${columns} FROM ${table} WHERE ${[where, ...conditions.map((each) => `(${each})`)].join(" AND ")}`;
  const ofParts = [`chunk <= ${parts.upTo}`, ...(parts.where ? [parts.where] : [])];
  if (byHour.length === 0) return read(parts.table, [...ofParts, isIn(ranges)]);
  const merged = hours.coverage.chunk;
  const ofHours = `chunk <= ${merged}`;
  // Two statements, so that DuckDB skips the row groups of other times or pieces.
  const statements = [read(parts.table, [...ofParts, ofHours, isIn(subtract(ranges, byHour))])];
  if (parts.upTo > merged) statements.push(read(parts.table, [...ofParts, `chunk > ${merged}`, isIn(ranges)]));
  if (days && hasDays) {
    const { chunk } = days.coverage;
    statements.push(
      read(hours.table, [ofHours, `chunk > ${chunk}`, isIn(byHour)]),
      read(hours.table, [`chunk <= ${Math.min(merged, chunk)}`, isIn(subtract(byHour, byDay))]),
      read(days.table, [`chunk <= ${chunk}`, isIn(byDay)]),
    );
  } else {
    statements.push(read(hours.table, [ofHours, isIn(byHour)]));
  }
  return statements.join(" UNION ALL ");
}

/** The whole units of each range that end before an instant. */
function toWhole(ranges: readonly Minutes[], unit: number, before: number): Minutes[] {
  return ranges.flatMap(({ from, to }) => {
    const whole = { from: Math.ceil(from / unit) * unit, to: Math.min(Math.floor(to / unit) * unit, before) };
    return whole.from < whole.to ? [whole] : [];
  });
}

/** The ranges without `inner`, which has at most one part of each range. */
function subtract(ranges: readonly Minutes[], inner: readonly Minutes[]): Minutes[] {
  return ranges.flatMap((range) => {
    const taken = inner.find(({ from, to }) => from >= range.from && to <= range.to);
    if (taken === undefined) return [range];
    return [
      { from: range.from, to: taken.from },
      { from: taken.to, to: range.to },
    ].filter(({ from, to }) => from < to);
  });
}
