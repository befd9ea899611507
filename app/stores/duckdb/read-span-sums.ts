import { quantileOf } from "../../domain/spans/duration-histogram.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import {
  type AttributeFilter,
  MAX_SPAN_GROUPS,
  SPAN_GROUPS,
  type SpanGroup,
  type SpanSum,
  type SpanSumFilter,
  type SpanSums,
} from "../events/span-sums.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toText } from "./event-rows.ts";
import type { MergedSums } from "./merged-sums.ts";
import type { RollUp } from "./roll-up.ts";
import { toUnsummedAttributes } from "./span-sum-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { readSpanSumState, type SpanSumState, toSpanSums } from "./stored-span-sums.ts";
import { readTraceSummaries } from "./trace-summaries.ts";

const GROUP_COLUMNS: Readonly<Record<SpanGroup, string>> = {
  project: "project_id",
  op: "op",
  name: "name_group",
  segment: "segment",
  release: "release",
  environment: "environment",
  status: "status",
};

/** Creates the readers of span sums. They read stored sums up to an ordinal, and sum the later rows themselves. */
export function createSpanSums(database: DuckdbDatabase, rollUp: RollUp, merged: MergedSums): SpanSums {
  return {
    sumSpans: (filter, options) => sumSpans(database, readSpanSumState(rollUp, merged), filter, options),
    async findTrace({ projectIds, traceId }) {
      const summaries = await readTraceSummaries(database, rollUp.upTo("spans"), { projectIds, traceIds: [traceId] });
      return summaries.get(traceId) ?? null;
    },
    async listAttributeKeys(filter, limit) {
      const rows = await listCounted({ database, rollUp }, filter, {
        column: "key",
        conditions: new SqlConditions(),
        limit,
      });
      return rows.map(({ text, count }) => ({ key: text, count }));
    },
    async listCutKeys(filter) {
      if (filter.projectIds.length === 0) return [];
      const conditions = new SqlConditions();
      const rows = await database.read(
        `SELECT key FROM (${toCountedValues(rollUp, filter, { conditions })}) WHERE ${conditions} GROUP BY key HAVING count(DISTINCT value) >= ${MAX_SUMMED_VALUES}`,
        conditions.values,
      );
      return rows.map((row) => String(row.key));
    },
    async listAttributeValues({ key, prefix, ...filter }, limit) {
      const conditions = new SqlConditions().addEqual("key", key);
      if (prefix) conditions.add(`starts_with(lower(value), lower(${conditions.bind(prefix)}))`);
      const rows = await listCounted({ database, rollUp }, filter, { column: "value", conditions, limit, key });
      return rows.map(({ text, count }) => ({ value: text, count }));
    },
  };
}

async function sumSpans(
  database: DuckdbDatabase,
  state: SpanSumState,
  filter: SpanSumFilter,
  { groupBy, bucketMs }: { groupBy: readonly SpanGroup[]; bucketMs: number | null },
): Promise<SpanSum[]> {
  if (filter.projectIds.length === 0) return [];
  const from = Math.floor(filter.from / MINUTE_MS);
  const conditions = new SqlConditions().addProjects(filter.projectIds);
  if (filter.isSegment !== undefined) conditions.add(filter.isSegment ? "is_segment" : "NOT is_segment");
  const { ops, names, segments, releases, environments } = filter;
  const lists = { op: ops, name_group: names, segment: segments, release: releases, environment: environments };
  for (const [column, values] of Object.entries(lists)) if (values) conditions.addOneOf(column, values);
  const columns = groupBy.map((group) => GROUP_COLUMNS[group]);
  const bucketMinutes = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / MINUTE_MS));
  const bucket =
    bucketMinutes === null ? "NULL" : `(minute - ${from}) // ${bucketMinutes} * ${bucketMinutes} + ${from}`;
  const same = (a: string, b: string) =>
    columns.map((column) => `AND ${a}.${column} IS NOT DISTINCT FROM ${b}.${column}`).join(" ");
  const by = [...columns, "bucket_at"].join(", ");
  const rows = await database.read(
    `WITH parts AS (
       SELECT *, ${bucket} AS bucket_at FROM (${toSpanSums(state, { filter, bucketMs, conditions })})
     ), largest AS (
       SELECT ${[...columns, "sum(total_us) AS size"].join(", ")} FROM parts
       GROUP BY ${columns.length === 0 ? "()" : columns.join(", ")} ORDER BY ${["size DESC", ...columns].join(", ")} LIMIT ${MAX_SPAN_GROUPS}
     ), sums AS (
       SELECT ${by}, sum(spans) AS spans, sum(weight) AS weight, sum(total_us) AS total_us FROM parts GROUP BY ${by}
     ), histograms AS (
       SELECT ${by}, to_json(list([bucket, bucket_weight]))::VARCHAR AS histogram FROM (
         SELECT ${by}, bucket, sum(bucket_weight) AS bucket_weight
         FROM (SELECT ${by}, unnest(buckets) AS bucket, unnest(weights) AS bucket_weight FROM parts) GROUP BY ${by}, bucket
       ) GROUP BY ${by}
     )
     SELECT ${columns.map((column) => `${column === "project_id" ? "sums.project_id::DOUBLE" : `sums.${column}`} AS ${column}, `).join("")}
       sums.bucket_at::DOUBLE AS bucket_at, sums.spans::DOUBLE AS spans, sums.weight, sums.total_us, histogram
     FROM sums JOIN largest ON true ${same("sums", "largest")}
     JOIN histograms ON histograms.bucket_at IS NOT DISTINCT FROM sums.bucket_at ${same("sums", "histograms")}
     ORDER BY ${["size DESC", ...columns.map((column) => `sums.${column}`), "sums.bucket_at"].join(", ")}`,
    conditions.values,
  );
  return rows.filter(({ spans }) => spans !== null).map((row) => toSum(row, groupBy));
}

function toSum(row: SqlRow, groupBy: readonly SpanGroup[]): SpanSum {
  const histogram: Array<[number, number]> = JSON.parse(String(row.histogram));
  const group: SpanSum["group"] = {};
  for (const name of SPAN_GROUPS) {
    if (!groupBy.includes(name)) continue;
    const value = row[GROUP_COLUMNS[name]];
    group[name] = typeof value === "number" ? value : toText(value ?? null);
  }
  return {
    group,
    at: typeof row.bucket_at === "number" ? row.bucket_at * MINUTE_MS : null,
    spans: Number(row.spans),
    weight: Number(row.weight),
    totalUs: Number(row.total_us),
    p50Us: quantileOf(histogram, 0.5),
    p75Us: quantileOf(histogram, 0.75),
    p95Us: quantileOf(histogram, 0.95),
    p99Us: quantileOf(histogram, 0.99),
  };
}

/** Rows without sums that are counted, too: with 12 attributes each, they take 5 ms of processor time. */
const MAX_UNSUMMED = 2_000;

async function listCounted(
  { database, rollUp }: { database: DuckdbDatabase; rollUp: RollUp },
  filter: AttributeFilter,
  {
    column,
    conditions,
    limit,
    key,
  }: { column: "key" | "value"; conditions: SqlConditions; limit: number; key?: string },
): Promise<Array<{ text: string; count: number }>> {
  if (filter.projectIds.length === 0) return [];
  const counted = toCountedValues(rollUp, filter, { conditions, key });
  const rows = await database.read(
    `SELECT ${column} AS text, round(sum(count)) AS count FROM (${counted}) WHERE ${conditions} GROUP BY ${column} ORDER BY count DESC, text LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  return rows.map((row) => ({ text: String(row.text), count: Number(row.count) }));
}

/** SQL of how often values occurred, in sums and in rows that are not summed yet. Adds the conditions of the filter to `conditions`. */
function toCountedValues(
  rollUp: RollUp,
  { projectIds, signal, from: since, to }: AttributeFilter,
  { conditions, key }: { conditions: SqlConditions; key?: string | undefined },
): string {
  conditions
    .addProjects(projectIds)
    .addEqual("signal", signal)
    .addRange("hour", Math.floor(since / HOUR_MS), Math.ceil(to / HOUR_MS));
  // Rows wait up to a minute for their sums, but people look for a new attribute right after sending it.
  const upTo = rollUp.upTo(signal);
  const from = Math.max(upTo, upTo + rollUp.countBehind(signal) - MAX_UNSUMMED);
  const columns = "project_id, signal, hour, key, value, count";
  const sums = `SELECT ${columns} FROM attribute_values WHERE chunk <= ${conditions.bind(upTo)}`;
  const unsummed =
    rollUp.countBehind(signal) > 0
      ? `UNION ALL ${toUnsummedAttributes(signal, { where: `ordinal >= ${conditions.bind(from)}`, source: rollUp.rowsBehind(signal), key })}`
      : "";
  return `${sums} ${unsummed}`;
}
