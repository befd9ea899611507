import { EMPTY_BUCKET } from "../../domain/spans/duration-histogram.ts";
import { WEB_VITAL_NAMES, WEB_VITALS } from "../../domain/spans/web-vitals.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { MAX_TRANSACTION_NAMES } from "../events/transaction-sums.ts";
import { HAS_FAILED, SPAN_WEIGHT, toBucketSql } from "./span-sum-sql.ts";

// How transactions and web vitals are summed: one row for each bucket of a histogram, because rows add up faster than lists.

/** The kind of a row of `transaction_sums`. */
export type TransactionSumKind = "transaction" | "op" | "vital";

const UNLABELED_TRANSACTION = "<unlabeled transaction>";

/** SQL of the name of a transaction, without ids, numbers and literals. */
export const TRANSACTION_NAME = `coalesce(nullif(segment_group, ''), nullif(segment, ''), nullif(name_group, ''), '${UNLABELED_TRANSACTION}')`;
const IS_VITAL = "(starts_with(coalesce(op, ''), 'ui.interaction.') OR starts_with(coalesce(op, ''), 'ui.webvital.'))";

/** SQL of common columns. `slot`: the start of the minute or the hour, in minutes since 1970. */
const dayAndAt = (unitMs: number) =>
  `received_at // ${DAY_MS} AS received_day, started_us // ${unitMs * 1000} * ${unitMs / MINUTE_MS} AS slot, ${TRANSACTION_NAME} AS name, environment, release`;

function toTransactions(where: string, source: string): string {
  return `
    SELECT project_id, category, ${dayAndAt(MINUTE_MS)}, coalesce(op, '') AS op, (${toBucketSql("duration_us")})::SMALLINT AS bucket,
      count(*) AS spans, sum(${SPAN_WEIGHT}) AS weight, sum(duration_us * ${SPAN_WEIGHT}) AS total_us,
      coalesce(sum(${SPAN_WEIGHT}) FILTER (${HAS_FAILED}), 0) AS failed, 0 AS good, 0 AS poor
    FROM ${source} WHERE ${where} AND is_segment AND NOT ${IS_VITAL} GROUP BY ALL`;
}

/** SQL of spans within transactions, by hour. */
function toOps(where: string, source: string): string {
  return `
    SELECT project_id, category, ${dayAndAt(HOUR_MS)}, coalesce(op, '') AS op, ${EMPTY_BUCKET}::SMALLINT AS bucket,
      count(*) AS spans, sum(${SPAN_WEIGHT}) AS weight, sum(duration_us * ${SPAN_WEIGHT}) AS total_us, 0 AS failed, 0 AS good, 0 AS poor
    FROM ${source} WHERE ${where} AND NOT is_segment AND segment IS NOT NULL AND NOT ${IS_VITAL} GROUP BY ALL`;
}

/**
 * SQL of web vitals. SDKs send them as attributes of a page load, or by a span of their own. A value may be inside an object with its type
 * or its unit.
 */
function toVitals(where: string, source: string): string {
  const value = (vital: string) => {
    const texts = [
      ["attributes", `/browser.web_vital.${vital}.value`],
      ["attributes", `/browser.web_vital.${vital}.value/value`],
      ["attributes", `/measurements.${vital}`],
      ["rest", `/measurements/${vital}/value`],
    ].map(([column, pointer]) => `TRY_CAST(TRY(json_extract_string(${column}, '${pointer}')) AS DOUBLE)`);
    return `coalesce(${texts.join(", ")})`;
  };
  const bound = (which: "good" | "poor") =>
    `CASE vital ${WEB_VITAL_NAMES.map((vital) => `WHEN '${vital}' THEN ${WEB_VITALS[vital][which]}`).join(" ")} END`;
  return `
    SELECT project_id, category, received_day, slot, name, environment, release, vital AS op,
      (${toBucketSql("(value * CASE vital WHEN 'cls' THEN 1e6 ELSE 1e3 END)")})::SMALLINT AS bucket,
      count(*) AS spans, sum(one) AS weight, 0 AS total_us, 0 AS failed,
      coalesce(sum(one) FILTER (value <= ${bound("good")}), 0) AS good,
      coalesce(sum(one) FILTER (value > ${bound("poor")}), 0) AS poor
    FROM (
      SELECT project_id, category, ${dayAndAt(MINUTE_MS)}, ${SPAN_WEIGHT} AS one,
        unnest([${WEB_VITAL_NAMES.map((vital) => `'${vital}'`).join(", ")}]) AS vital,
        unnest([${WEB_VITAL_NAMES.map(value).join(", ")}]) AS value
      FROM ${source} WHERE ${where} AND (op = 'pageload' OR ${IS_VITAL})
    ) WHERE value >= 0 AND value < CASE vital WHEN 'cls' THEN 1000 ELSE ${HOUR_MS} END GROUP BY ALL`;
}

const SUMS: Readonly<Record<TransactionSumKind, (where: string, source: string) => string>> = {
  transaction: toTransactions,
  op: toOps,
  vital: toVitals,
};

/** SQL of the sums of one kind for these rows. */
export function toTransactionSums(kind: TransactionSumKind, where: string, source: string): string {
  return SUMS[kind](where, source);
}

function toAllTransactionSums(where: string, source: string): string {
  return (Object.keys(SUMS) as TransactionSumKind[])
    .map((kind) => `SELECT '${kind}' AS kind, * FROM (${SUMS[kind](where, source)})`)
    .join(" UNION ALL BY NAME ");
}

/**
 * SQL of all sums of these rows, with a limited number of names per project: names of stored sums first, and then new names with most
 * spans. Other rows lose their name. When all rows of a name are gone, another name may take its place.
 */
export function toBoundedTransactionSums(where: string, source: string): string {
  return `
    WITH fresh AS MATERIALIZED (${toAllTransactionSums(where, source)}),
    known AS MATERIALIZED (SELECT DISTINCT project_id, name FROM transaction_sums WHERE name IS NOT NULL),
    admitted AS (
      FROM known
      UNION ALL
      SELECT project_id, name FROM (
        SELECT project_id, name, row_number() OVER (PARTITION BY project_id ORDER BY sum(spans) DESC, name) AS place
        FROM fresh ANTI JOIN known USING (project_id, name) GROUP BY project_id, name
      ) LEFT JOIN (SELECT project_id, count(*) AS used FROM known GROUP BY project_id) USING (project_id)
      WHERE place + coalesce(used, 0) <= ${MAX_TRANSACTION_NAMES}
    )
    SELECT fresh.* REPLACE (admitted.name AS name)
    FROM fresh LEFT JOIN admitted ON admitted.project_id = fresh.project_id AND admitted.name = fresh.name`;
}
