import { type DurationHistogram, EMPTY_BUCKET } from "../../domain/spans/duration-histogram.ts";
import type { WebVital } from "../../domain/spans/web-vitals.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import {
  MAX_TRANSACTIONS,
  type TransactionCell,
  type TransactionFilter,
  type TransactionOpSum,
  type TransactionSum,
  type TransactionSums,
  type VitalSum,
} from "../events/transaction-sums.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toText } from "./event-rows.ts";
import { KeptSums } from "./kept-sums.ts";
import type { MergedSums } from "./merged-sums.ts";
import type { RollUp } from "./roll-up.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { readSumCells, type SumState } from "./transaction-cells.ts";

const MAX_OPS = 20;
/** Cells of one page that are cached, some 100 bytes each. With more, each page adds up all sums. */
const MAX_KEPT_ROWS = 10_000;
const HOUR = HOUR_MS / MINUTE_MS;

/** Creates the readers of transaction sums. They read stored sums up to an ordinal, and sum the later rows themselves. */
export function createTransactionSums(database: DuckdbDatabase, rollUp: RollUp, merged: MergedSums): TransactionSums {
  const kept = new KeptSums(database, rollUp, { name: "kept_transactions", max: 12, maxRows: MAX_KEPT_ROWS });
  const state = (): SumState => ({
    kept,
    upTo: rollUp.upTo("transactions"),
    rows: rollUp.rowsBehind("transactions"),
    hours: merged.coverageOf("transaction_hours"),
    days: merged.coverageOf("transaction_days"),
  });
  return {
    sumTransactions: (filter, options) => sumTransactions(database, state(), filter, options),
    sumTransactionOps: (filter) => sumTransactionOps(database, state(), filter),
    listTransactionCells: (filter, options) => listTransactionCells(database, state(), filter, options),
    sumVitals: (filter, options) => sumVitals(database, state(), filter, options),
  };
}

async function sumTransactions(
  database: DuckdbDatabase,
  state: SumState,
  filter: TransactionFilter,
  { bucketMs, limit, rankFrom = filter.from }: { bucketMs: number | null; limit: number; rankFrom?: number },
): Promise<{ sums: TransactionSum[]; hasMore: boolean }> {
  if (filter.projectIds.length === 0) return { sums: [], hasMore: false };
  const size = Math.min(MAX_TRANSACTIONS, Math.max(1, Math.trunc(limit)));
  const conditions = toConditions(filter);
  const [from, to, ranked] = [
    Math.floor(filter.from / MINUTE_MS),
    Math.ceil(filter.to / MINUTE_MS),
    Math.floor(rankFrom / MINUTE_MS),
  ];
  const ranges =
    from < ranked && ranked < to
      ? [
          { from, to: ranked },
          { from: ranked, to },
        ]
      : [{ from, to }];
  const isByHour = filter.from % HOUR_MS === 0 && (bucketMs ?? 0) % HOUR_MS === 0;
  const finest = bucketMs === null ? "day" : isByHour ? "hour" : "minute";
  const minutes = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / MINUTE_MS));
  const bucketAt = minutes === null ? "NULL::BIGINT" : `(slot - ${from}) // ${minutes} * ${minutes} + ${from}`;
  const keys = {
    project_id: "project_id",
    name: "name",
    op: "op",
    bucket_at: bucketAt,
    is_ranked: `slot >= ${ranked}`,
    bucket: "bucket",
  };
  const cells = { keys, sums: ["spans", "weight", "total_us", "failed"], ranges, finest } as const;
  const rows = await readSumCells(state, { kind: "transaction", ...cells, conditions }, (cells) =>
    database.read(
      `WITH cells AS MATERIALIZED (${cells}), largest AS MATERIALIZED (
       SELECT project_id, name, op, sum(total_us) AS size FROM cells WHERE is_ranked GROUP BY ALL
       ORDER BY size DESC, project_id, name, op LIMIT ${size + 1}
     )
     SELECT cells.project_id::DOUBLE AS project_id, cells.name AS name, cells.op AS op, bucket_at::DOUBLE AS bucket_at,
       sum(spans)::DOUBLE AS spans, sum(weight) AS weight, sum(total_us) AS total_us, sum(failed) AS failed,
       to_json(list([bucket, weight]))::VARCHAR AS histogram
     FROM cells JOIN largest ON cells.project_id = largest.project_id AND cells.op = largest.op
       AND cells.name IS NOT DISTINCT FROM largest.name
     GROUP BY cells.project_id, cells.name, cells.op, bucket_at
     ORDER BY any_value(size) DESC, project_id, name, op, bucket_at`,
      conditions.values,
    ),
  );
  const places = new Map<string, number>();
  const keyOf = ({ projectId, name, op }: TransactionSum) => JSON.stringify([projectId, name, op]);
  const sums = rows.map((row): TransactionSum => toTransactionSum(row));
  for (const sum of sums) if (!places.has(keyOf(sum))) places.set(keyOf(sum), places.size);
  return { sums: sums.filter((sum) => (places.get(keyOf(sum)) ?? 0) < size), hasMore: places.size > size };
}

function toTransactionSum(row: SqlRow): TransactionSum {
  return {
    ...toPlace(row),
    op: toText(row.op) ?? "",
    at: typeof row.bucket_at === "number" ? row.bucket_at * MINUTE_MS : null,
    spans: Number(row.spans),
    weight: Number(row.weight),
    failedWeight: Number(row.failed),
    totalUs: Number(row.total_us),
    durations: toHistogram(row.histogram),
  };
}

async function sumTransactionOps(
  database: DuckdbDatabase,
  state: SumState,
  { transaction, ...filter }: TransactionFilter & { transaction: { name: string | null } },
): Promise<TransactionOpSum[]> {
  if (filter.projectIds.length === 0) return [];
  const conditions = toConditions(filter);
  addName(conditions, transaction.name);
  const [from, to] = [Math.floor(filter.from / HOUR_MS), Math.ceil(filter.to / HOUR_MS)].map(
    (hour) => hour * (HOUR_MS / MINUTE_MS),
  ) as [number, number];
  const sums = {
    keys: { op: "op" },
    sums: ["spans", "weight", "total_us"],
    ranges: [{ from, to }],
    finest: "day",
  } as const;
  const rows = await readSumCells(state, { kind: "op", ...sums, conditions }, (cells) =>
    database.read(
      `SELECT op, spans::DOUBLE AS spans, weight, total_us FROM (${cells}) ORDER BY total_us DESC, op LIMIT ${MAX_OPS}`,
      conditions.values,
    ),
  );
  return rows.map((row) => ({
    op: toText(row.op) ?? "",
    spans: Number(row.spans),
    weight: Number(row.weight),
    totalUs: Number(row.total_us),
  }));
}

async function listTransactionCells(
  database: DuckdbDatabase,
  state: SumState,
  filter: TransactionFilter,
  { unitMs, unitsFrom, fromBucket }: { unitMs: number; unitsFrom: number; fromBucket?: number },
): Promise<TransactionCell[]> {
  if (filter.projectIds.length === 0) return [];
  const conditions = toConditions(filter);
  if (fromBucket !== undefined) conditions.add(`bucket >= ${Math.trunc(fromBucket)}`);
  const [from, first, to] = [
    Math.floor(filter.from / MINUTE_MS),
    Math.floor(unitsFrom / MINUTE_MS),
    Math.ceil(filter.to / MINUTE_MS),
  ];
  const unit = Math.max(1, Math.round(unitMs / MINUTE_MS));
  const isByHour = from % HOUR === 0 && first % HOUR === 0 && unit % HOUR === 0;
  const ranges = [{ from, to }];
  const began = `CASE WHEN slot < ${first} THEN ${from} ELSE (slot - ${first}) // ${unit} * ${unit} + ${first} END`;
  const sums = ["spans", "weight", "failed", "total_us"] as const;
  const finest = isByHour ? "hour" : "minute";
  const cells = { keys: { began, bucket: "bucket" }, sums, ranges, finest } as const;
  const columns = await readSumCells(state, { kind: "transaction", ...cells, conditions }, (cells) =>
    database.readNumbers(
      `SELECT ${["began", "bucket", ...sums].map((name) => `${name}::DOUBLE AS ${name}`).join(", ")} FROM (${cells})`,
      conditions.values,
    ),
  );
  const [times, bucket, spans, weight, failed, totalUs] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return Array.from(times, (minute, index) => ({
    at: minute * MINUTE_MS,
    bucket: bucket[index] ?? EMPTY_BUCKET,
    spans: spans[index] ?? 0,
    weight: weight[index] ?? 0,
    failedWeight: failed[index] ?? 0,
    totalUs: totalUs[index] ?? 0,
  }));
}

async function sumVitals(
  database: DuckdbDatabase,
  state: SumState,
  filter: Omit<TransactionFilter, "transaction">,
  { limit }: { limit: number },
): Promise<{ sums: VitalSum[]; hasMore: boolean }> {
  if (filter.projectIds.length === 0) return { sums: [], hasMore: false };
  const size = Math.min(MAX_TRANSACTIONS, Math.max(1, Math.trunc(limit)));
  const conditions = toConditions(filter);
  const ranges = [{ from: Math.floor(filter.from / MINUTE_MS), to: Math.ceil(filter.to / MINUTE_MS) }];
  const cells = {
    keys: { project_id: "project_id", name: "name", vital: "op", bucket: "bucket" },
    sums: ["spans", "weight", "good", "poor"],
    ranges,
    finest: "day",
  } as const;
  const rows = await readSumCells(state, { kind: "vital", ...cells, conditions }, (cells) =>
    database.read(
      `WITH cells AS MATERIALIZED (${cells}), largest AS MATERIALIZED (
       SELECT project_id, name, max(weight) AS size FROM (
         SELECT project_id, name, sum(weight) AS weight FROM cells GROUP BY project_id, name, vital
       ) GROUP BY ALL ORDER BY size DESC, project_id, name LIMIT ${size + 1}
     )
     SELECT cells.project_id::DOUBLE AS project_id, cells.name AS name, vital, sum(spans)::DOUBLE AS spans, sum(weight) AS weight,
       sum(good) AS good, sum(poor) AS poor, to_json(list([bucket, weight]))::VARCHAR AS histogram
     FROM cells JOIN largest ON cells.project_id = largest.project_id AND cells.name IS NOT DISTINCT FROM largest.name
     GROUP BY cells.project_id, cells.name, vital
     ORDER BY any_value(size) DESC, project_id, name, vital`,
      conditions.values,
    ),
  );
  const keys = new Map<string, number>();
  const keyOf = ({ projectId, name }: VitalSum) => JSON.stringify([projectId, name]);
  const sums = rows.map(
    (row): VitalSum => ({
      ...toPlace(row),
      vital: String(row.vital) as WebVital,
      spans: Number(row.spans),
      weight: Number(row.weight),
      goodWeight: Number(row.good),
      poorWeight: Number(row.poor),
      values: toHistogram(row.histogram),
    }),
  );
  for (const sum of sums) if (!keys.has(keyOf(sum))) keys.set(keyOf(sum), keys.size);
  return { sums: sums.filter((sum) => (keys.get(keyOf(sum)) ?? 0) < size), hasMore: keys.size > size };
}

function toConditions({ projectIds, environments, text, transaction }: TransactionFilter): SqlConditions {
  const conditions = new SqlConditions().addProjects(projectIds);
  if (environments.length > 0) conditions.addOneOf("environment", environments);
  if (text) conditions.add(`contains(lower(name), lower(${conditions.bind(text)}))`);
  if (transaction) {
    addName(conditions, transaction.name);
    conditions.addEqual("op", transaction.op);
  }
  return conditions;
}

function addName(conditions: SqlConditions, name: string | null): void {
  if (name === null) conditions.add("name IS NULL");
  else conditions.addEqual("name", name);
}

function toPlace(row: SqlRow): { projectId: number; name: string | null } {
  return { projectId: Number(row.project_id), name: toText(row.name ?? null) ?? null };
}

function toHistogram(json: SqlRow[string] | undefined): DurationHistogram {
  const histogram: Array<[bucket: number, weight: number]> = JSON.parse(String(json));
  return histogram.sort(([one], [other]) => one - other);
}
