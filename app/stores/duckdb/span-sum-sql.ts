import { BUCKET_GROWTH, EMPTY_BUCKET } from "../../domain/spans/duration-histogram.ts";
import { BARE_METHODS } from "../../domain/spans/request-name.ts";
import { UNFAILED_STATUSES } from "../../domain/spans/span-failure.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { AttributeSignal } from "../events/span-sums.ts";

// How spans and logs are summed. Sums of older rows are stored; those of the newest rows are computed when they are needed, by the same
// SQL.

/** A span counts as many times as its sampling rate says. */
export const SPAN_WEIGHT = "1 / coalesce(sample_rate, 1)";

/** SQL of the bucket of a number: see `DurationHistogram`. */
export function toBucketSql(number: string): string {
  return `CASE WHEN ${number} < 1 THEN ${EMPTY_BUCKET} ELSE floor(ln(${number}) / ln(${BUCKET_GROWTH})) END`;
}
export const DURATION_BUCKET = toBucketSql("duration_us");

/** A larger number of an attribute is not counted, so that sums are finite. */
export const MAX_NUMBER = 1e200;

/** Numbers of attributes may be less than one. Those below a millionth share a bucket with 0. */
const NUMBER_SCALE = 1_000_000;

/**
 * SQL of the bucket of an attribute's number. Buckets are as wide as those of durations. Those of negative numbers are below
 * `EMPTY_BUCKET`.
 */
export function toNumberBucketSql(number: string): string {
  const size = toBucketSql(`abs(${number}) * ${NUMBER_SCALE}`);
  return `CASE WHEN ${number} < 0 THEN ${2 * EMPTY_BUCKET} - (${size}) ELSE ${size} END`;
}

/** See `hasFailed`. */
export const HAS_FAILED = `status NOT IN (${UNFAILED_STATUSES.map((status) => `'${status}'`).join(", ")})`;

export const MINUTE_KEYS =
  "project_id, category, received_day, minute, op, name_group, segment, release, environment, status, is_segment";

/** SQL of a histogram for each group and minute. */
export function toSpanMinutes(where: string, source: string): string {
  return `
    SELECT ${MINUTE_KEYS}, sum(spans)::BIGINT AS spans, sum(weight) AS weight, sum(total_us) AS total_us,
           list(bucket) AS buckets, list(weight) AS weights
    FROM (
      SELECT project_id, category, received_at // ${DAY_MS} AS received_day, started_us // 60000000 AS minute, op, name_group,
             segment, release, environment, status, is_segment, (${DURATION_BUCKET})::SMALLINT AS bucket,
             count(*) AS spans, sum(${SPAN_WEIGHT}) AS weight, sum(duration_us * ${SPAN_WEIGHT}) AS total_us
      FROM ${source} WHERE ${where} GROUP BY ALL
    ) GROUP BY ${MINUTE_KEYS}`;
}

const BARE_METHOD = `IN (${BARE_METHODS.map((method) => `'${method}'`).join()})`;
/** See `nameRequest`. */
export const IS_BARE_METHOD = `name ${BARE_METHOD}`;
/** SQL of the URL that `nameRequest` needs. */
export const REQUEST_URL = `CASE WHEN ${IS_BARE_METHOD} THEN url END`;
/** SQL of the segment as people read it: a method alone is the group of its requests. */
export const SHOWN_SEGMENT = `CASE WHEN segment ${BARE_METHOD} THEN coalesce(nullif(segment_group, ''), segment) ELSE segment END`;

/** SQL of a row for each trace, which says where its spans are and what is known of it. */
export function toTraceParts(where: string, source: string): string {
  return `
    SELECT project_id, category, received_at // ${DAY_MS} AS received_day, trace_id, min(ordinal) AS first_ordinal,
           max(ordinal) AS last_ordinal, min(started_us) AS first_us, max(started_us + duration_us) AS last_us,
           count(*) AS spans, count(*) FILTER (${HAS_FAILED}) AS failed,
           min(started_us) FILTER (parent_span_id IS NULL) AS root_us,
           arg_min(coalesce(CASE WHEN ${IS_BARE_METHOD} THEN name_group ELSE name END, ''), started_us) FILTER (parent_span_id IS NULL) AS root_name,
           arg_min(coalesce(op, ''), started_us) FILTER (parent_span_id IS NULL) AS root_op,
           (list(DISTINCT service) FILTER (service IS NOT NULL))[:20] AS services
    FROM ${source} WHERE ${where} GROUP BY project_id, category, received_day, trace_id`;
}

/** How many keys of a project are kept of each summed piece, the most frequent ones. */
const KEYS_PER_PROJECT = 200;
const MAX_VALUE_CHARACTERS = 200;

/** Keys whose values name people are not kept, because a deletion of a user's data would have to find them. */
const NAMES_PEOPLE =
  "starts_with(key, 'user.') OR key IN ('client.address', 'net.peer.ip', 'http.client_ip', 'enduser.id')";

/** Columns by the names of fields in searches. */
const FIELDS: Readonly<Record<AttributeSignal, ReadonlyArray<readonly [key: string, column: string]>>> = {
  spans: [
    ["span.op", "op"],
    ["span.name", "name_group"],
    ["span.status", "status"],
    ["span.kind", "kind"],
    ["transaction", "segment"],
    ["release", "release"],
    ["environment", "environment"],
    ["service.name", "service"],
    ["sentry.origin", "origin"],
    ["sdk.name", "sdk_name"],
    ...TYPED_ATTRIBUTES.map(({ key, column }): [string, string] => [key, column]),
  ],
  logs: [
    ["severity", "level"],
    ["message.template", "template"],
    ["release", "release"],
    ["environment", "environment"],
    ["service.name", "service"],
    ["logger", "logger"],
    ["server.address", "server_address"],
    ["user.id", "user_id"],
    ["sentry.origin", "origin"],
    ["sdk.name", "sdk_name"],
  ],
};

/** The searched fields of spans: key and column. */
export const SEARCHED_FIELDS = FIELDS.spans;

const IS_COUNTED = `value <> '' AND length(value) <= ${MAX_VALUE_CHARACTERS} AND value NOT LIKE '{%' AND value NOT LIKE '[%'
  AND length(key) BETWEEN 1 AND ${MAX_VALUE_CHARACTERS} AND NOT (${NAMES_PEOPLE})`;

/**
 * SQL of a row for each attribute of rows without stored sums, in the form of `toAttributeValues`.
 *
 * @param key a well-known field whose column is read, too. Without it, no column is read: these fields are always known.
 */
export function toUnsummedAttributes(
  signal: AttributeSignal,
  { where, source, key }: { where: string; source: string; key?: string | undefined },
): string {
  const hour = `received_at // ${HOUR_MS} AS hour`;
  const weight = signal === "logs" ? "1" : SPAN_WEIGHT;
  const fields = FIELDS[signal].flatMap(([name, column]) =>
    name === key
      ? `UNION ALL SELECT project_id, ${hour}, ${weight} AS count, '${name}' AS key, ${column}::VARCHAR AS value FROM ${source} WHERE ${where}`
      : [],
  );
  return `
    SELECT project_id, '${signal}' AS signal, hour, key, value, count FROM (
      SELECT project_id, hour, count, unnest(map_keys(others)) AS key, unnest(map_values(others)) AS value FROM (
        SELECT project_id, ${hour}, ${weight} AS count,
          TRY(from_json(attributes, '"MAP(VARCHAR, VARCHAR)"')) AS others
        FROM ${source} WHERE ${where}
      )
      ${fields.join(" ")}
    ) WHERE ${IS_COUNTED}`;
}

/**
 * SQL of how often each value of each key occurred in an hour. A span counts by its sampling rate. Objects and lists are left out, because
 * nobody searches for them.
 */
export function toAttributeValues(signal: AttributeSignal, where: string): string {
  const fields = FIELDS[signal].map(
    ([key, column]) =>
      `SELECT project_id, category, hour, '${key}' AS key, ${column}::VARCHAR AS value, weight FROM piece`,
  );
  // Only these columns: otherwise DuckDB would hold all columns of a row beside its attributes.
  const columns = [...new Set(FIELDS[signal].map(([, column]) => column))];
  return `
    WITH piece AS (
      SELECT project_id, ${signal === "logs" ? "'log_item' AS " : ""}category, received_at // ${HOUR_MS} AS hour, ${columns.join(", ")}, ${signal === "logs" ? "1" : SPAN_WEIGHT} AS weight,
        TRY(from_json(attributes, '"MAP(VARCHAR, VARCHAR)"')) AS others
      FROM ${signal} WHERE ${where}
    ), counted AS (
      SELECT project_id, category, hour, key, value, sum(weight)::BIGINT AS count FROM (
        ${fields.join(" UNION ALL ")}
        UNION ALL
        SELECT project_id, category, hour, unnest(map_keys(others)), unnest(map_values(others)), weight FROM piece
      )
      WHERE ${IS_COUNTED}
      GROUP BY ALL
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY project_id, category, hour, key ORDER BY count DESC, value) AS place,
        sum(count) OVER (PARTITION BY project_id, category, hour, key) AS key_count
      FROM counted
    )
    SELECT project_id, '${signal}' AS signal, category, hour // ${DAY_MS / HOUR_MS} AS received_day, hour, key, value, count
    FROM ranked WHERE place <= ${MAX_SUMMED_VALUES}
    QUALIFY dense_rank() OVER (PARTITION BY project_id, category, hour ORDER BY key_count DESC, key) <= ${KEYS_PER_PROJECT}`;
}
