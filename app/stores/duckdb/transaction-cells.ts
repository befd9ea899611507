import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { KeptSums, KeptTable } from "./kept-sums.ts";
import type { Coverage } from "./merged-sums.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import { type Minutes, toStoredSums } from "./stored-sums.ts";
import { type TransactionSumKind, toTransactionSums } from "./transaction-sum-sql.ts";

/** How far rows are summed, and how far sums are merged. */
export interface SumState {
  kept: KeptSums;
  upTo: number;
  /** SQL for `FROM`: the rows that are not summed. */
  rows: string;
  hours: Coverage;
  days: Coverage;
}

/** Minutes of a day. Shorter ranges are read as fast as the cache, and would displace the sums of pages over weeks. */
const MIN_KEPT_MINUTES = DAY_MS / MINUTE_MS;

const COLUMNS = "project_id, slot, name, op, environment, bucket, spans, weight, total_us, failed, good, poor";

interface Cells {
  kind: TransactionSumKind;
  /** SQL of the keys of a cell, by name. */
  keys: Readonly<Record<string, string>>;
  /** The columns that are added up. */
  sums: readonly string[];
  ranges: readonly Minutes[];
  finest: "minute" | "hour" | "day";
  conditions: SqlConditions;
}

/**
 * Adds up sums to cells. Earlier results are cached: see kept-sums.ts.
 *
 * @param read gets SQL of the cells, and binds the values of the conditions
 */
export function readSumCells<Result>(
  state: SumState,
  cells: Cells,
  read: (sql: string) => Promise<Result>,
): Promise<Result> {
  const { kind, keys, sums, ranges, finest, conditions } = cells;
  const where = `kind = '${kind}' AND ${conditions}`;
  const isIn = ranges.map(({ from, to }) => `(slot >= ${from} AND slot < ${to})`).join(" OR ");
  const names = [...Object.keys(keys), ...sums].join(", ");
  const add = (keys: readonly string[], source: string) =>
    `SELECT ${[...keys, ...sums.map((name) => `sum(${name}) AS ${name}`)].join(", ")} FROM (${source}) GROUP BY ALL`;
  const toCells = (source: string) =>
    add(
      Object.entries(keys).map(([name, sql]) => `${sql} AS ${name}`),
      source,
    );
  const stored = toStoredSums(
    {
      columns: COLUMNS,
      where,
      slot: "slot",
      parts: { table: "transaction_sums", upTo: state.upTo },
      hours: { table: "transaction_hours", coverage: state.hours },
      days: { table: "transaction_days", coverage: state.days },
    },
    ranges,
    finest,
  );
  const fresh = `SELECT ${COLUMNS} FROM (${toTransactionSums(kind, `ordinal >= ${state.upTo}`, state.rows)}) WHERE ${conditions} AND (${isIn})`;
  const toSql = (kept: KeptTable | null) => {
    if (kept === null) return toCells(`${stored} UNION ALL ${fresh}`);
    const since = `SELECT ${COLUMNS} FROM transaction_sums WHERE ${where} AND chunk > ${kept.upTo} AND chunk <= ${state.upTo} AND (${isIn})`;
    return add(
      Object.keys(keys),
      `SELECT ${names} FROM memory.main.${kept.table} UNION ALL ${toCells(`${since} UNION ALL ${fresh}`)}`,
    );
  };
  const range = { from: ranges[0]?.from ?? 0, to: ranges.at(-1)?.to ?? 0 };
  if (range.to - range.from < MIN_KEPT_MINUTES) return read(toSql(null));
  const key = JSON.stringify([kind, keys, sums, ranges, `${conditions}`, conditions.values]);
  const asked = { key, range, bucketMinutes: 1, upTo: state.upTo, sql: toCells(stored), values: conditions.values };
  return state.kept.use(asked, (kept) => read(toSql(kept)));
}
