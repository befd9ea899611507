import { listTests } from "../../domain/search/condition.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { LogFilter } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toLogConditions } from "./log-conditions.ts";
import { FACET_NAMES, isSummedBy, type LogSumUnit, UNIT_US } from "./log-sum-sql.ts";
import { type LogTally, linesByBucket, linesByBucketAndFacet, linesByFacet } from "./log-tally.ts";
import type { Coverage, MergedSums } from "./merged-sums.ts";
import type { RollUp } from "./roll-up.ts";
import { toStoredSums } from "./stored-sums.ts";

/** Lines without a sum, which are counted one by one. With more of them, the caller counts all lines in pieces instead. */
const MAX_UNSUMMED = 300_000;

export interface LogSumParts {
  database: DuckdbDatabase;
  rollUp: RollUp;
  merged: MergedSums;
}

/**
 * Counts lines from their sums, if these have the fields of the search. Lines in minutes and hours that are only partly in the range, and
 * lines without a sum, are counted one by one. The result equals that of counting all lines.
 * @returns false if the sums do not suffice; then nothing is counted
 */
export async function tallyFromSums(
  { database, rollUp, merged }: LogSumParts,
  filter: LogFilter,
  { bucketMs, tally }: { bucketMs: number; tally: LogTally },
): Promise<boolean> {
  const unit = findUnit(filter, bucketMs);
  if (unit === null || rollUp.countBehind("log-lines") > MAX_UNSUMMED) return false;
  const bucketUs = Math.trunc(bucketMs * 1000);
  const state = {
    upTo: rollUp.upTo("log-lines"),
    unsummed: rollUp.rowsBehind("log-lines"),
    coverage: merged.coverageOf("log_hours"),
  };
  const read = async (of: LogSumUnit, toSql: (lines: string, bucketUs: number) => string) => {
    const { sql, values } = toLines(of, filter, state);
    for (const row of await database.read(toSql(sql, bucketUs), values)) tally.add(row, bucketMs);
  };
  if (unit === "hour") await read("hour", linesByBucketAndFacet);
  else await Promise.all([read("minute", linesByBucket), read("hour", linesByFacet)]);
  return true;
}

/** The unit of the sums from which the histogram can be made. Null: none. */
function findUnit({ where }: LogFilter, bucketMs: number): LogSumUnit | null {
  const isIn = (unit: LogSumUnit) =>
    where === undefined || listTests(where).every(({ field, isTag }) => !isTag && isSummedBy(unit, field));
  if (!isIn("hour")) return null;
  if (bucketMs % HOUR_MS === 0) return "hour";
  return bucketMs % MINUTE_MS === 0 && isIn("minute") ? "minute" : null;
}

/** SQL of rows with an instant (`occurred_us`), severity, facets, and the number of `lines`. */
function toLines(
  unit: LogSumUnit,
  filter: LogFilter,
  { upTo, unsummed, coverage }: { upTo: number; unsummed: string; coverage: Coverage },
): { sql: string; values: ReturnType<typeof toLogConditions>["values"] } {
  const conditions = toLogConditions(filter);
  const matches = `${conditions}`;
  const unitUs = UNIT_US[unit];
  const [fromUs, toUs] = [Math.ceil(filter.from * 1000), Math.ceil(filter.to * 1000)];
  const [first, last] = [Math.ceil(fromUs / unitUs), Math.floor(toUs / unitUs)];
  const within = (from: number, to: number) => {
    const [low, high] = [conditions.bind(from), conditions.bind(to)];
    return `occurred_us >= ${low} AND occurred_us < ${high}`;
  };
  const rows = (where: string, source = "logs") =>
    `SELECT occurred_us, severity, ${FACET_NAMES}, 1 AS lines FROM ${source} WHERE ${where} AND ${matches}`;
  const parts = [rows(`ordinal >= ${upTo} AND ${within(fromUs, toUs)}`, unsummed)];
  if (first >= last) {
    parts.push(rows(`ordinal < ${upTo} AND ${within(fromUs, toUs)}`));
  } else {
    const stored = {
      columns: `slot * ${UNIT_US.minute} AS occurred_us, severity, ${FACET_NAMES}, lines`,
      where: matches,
      slot: "slot" as const,
      parts: { table: "log_sums", where: `kind = '${unit}'`, upTo },
      hours: { table: "log_hours", coverage },
    };
    const minutes = unitUs / UNIT_US.minute;
    parts.push(toStoredSums(stored, [{ from: first * minutes, to: last * minutes }], unit));
    if (fromUs < first * unitUs) parts.push(rows(`ordinal < ${upTo} AND ${within(fromUs, first * unitUs)}`));
    if (last * unitUs < toUs) parts.push(rows(`ordinal < ${upTo} AND ${within(last * unitUs, toUs)}`));
  }
  return { sql: parts.join(" UNION ALL "), values: conditions.values };
}
