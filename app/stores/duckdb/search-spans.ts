import { MAX_NUMBERS, type NumberSum } from "../../domain/number-sum.ts";
import { nameRequest } from "../../domain/spans/request-name.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { encodeSpanCursor, parseSpanCursor } from "../events/span-cursor.ts";
import {
  type FoundSpan,
  type FoundSpans,
  MAX_GROUPS,
  MAX_SEARCHED_ATTRIBUTES,
  type SpanGroupSum,
  type SpanGroupSums,
  type SpanKey,
  type SpanSearch,
  type SpanSearchFilter,
  type SpanSumOptions,
} from "../events/span-search.ts";
import { toConditionSql } from "../sql/condition-sql.ts";
import { compareSpans } from "./compare-spans.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toText } from "./event-rows.ts";
import { findTraces } from "./find-traces.ts";
import type { HotAttributes } from "./hot-attributes.ts";
import { KeptSums, type KeptTable } from "./kept-sums.ts";
import type { MergedSums } from "./merged-sums.ts";
import { hasFiles, readNewestFirst, type Times } from "./newest-first.ts";
import type { RollUp } from "./roll-up.ts";
import { toSpanConditions } from "./span-conditions.ts";
import { createSpanDialect, isSummed, NO_HOT_COLUMNS, toKeySql } from "./span-dialect.ts";
import { toFirstGroups } from "./span-group-order.ts";
import { SpanPieces } from "./span-pieces.ts";
import { findSpanReach, toKeys, toReach, WHOLE_REACH } from "./span-reach.ts";
import { toSource } from "./span-source.ts";
import {
  DURATION_BUCKET,
  HAS_FAILED,
  MAX_NUMBER,
  REQUEST_URL,
  SHOWN_SEGMENT,
  SPAN_WEIGHT,
  toNumberBucketSql,
} from "./span-sum-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";
import {
  cutAtMinutes,
  readSpanSumState,
  type SpanSumState,
  toCutMinutes,
  toMinutes,
  toSpanSums,
  toStoredSpanSums,
} from "./stored-span-sums.ts";

const MAX_PAGE = 100;
/**
 * Groups and buckets of one search that are cached, some 500 bytes each, most of them a histogram. With more, each page adds up all sums.
 */
const MAX_KEPT_ROWS = 2_000;

const SELECTION = `project_id::DOUBLE AS project_id, replace(trace_id::VARCHAR, '-', '') AS trace_id, format('{:016x}', span_id) AS span_id,
  is_segment, started_us::DOUBLE AS started_us, duration_us::DOUBLE AS duration_us, op, name, ${REQUEST_URL} AS request_url, status, ${SHOWN_SEGMENT} AS shown_segment, release, environment,
  service, user_id, ordinal::DOUBLE AS ordinal`;

export function createSpanSearch(
  database: DuckdbDatabase,
  { rollUp, merged, hot }: { rollUp: RollUp; merged: MergedSums; hot: HotAttributes },
): SpanSearch {
  const upTo = () => rollUp.upTo("spans");
  const pieces = new SpanPieces(database, rollUp);
  const kept = new KeptSums(database, rollUp, { name: "kept_spans", max: 4, maxRows: MAX_KEPT_ROWS });
  function noteSearched(filter: SpanSearchFilter, by: readonly SpanKey[] = []): void {
    hot.note("spans", filter.projectIds, [...by, ...toKeys(filter)]);
  }
  return {
    findSpans(filter, page) {
      noteSearched(filter, page.keys);
      return findSpans(database, { pieces, upTo: upTo(), behind: rollUp.countBehind("spans") }, filter, page);
    },
    findTraces(filter, page) {
      noteSearched(filter);
      return findTraces(database, pieces, upTo(), filter, page);
    },
    compareSpans(filter, selection) {
      noteSearched(filter);
      return compareSpans(database, pieces, upTo(), filter, selection);
    },
    sumFoundSpans(filter, options) {
      noteSearched(filter, [...options.by, ...(options.numbers ?? [])]);
      return sumFoundSpans(database, { pieces, kept, sums: readSpanSumState(rollUp, merged) }, filter, options);
    },
  };
}

async function findSpans(
  database: DuckdbDatabase,
  { pieces, upTo, behind }: { pieces: SpanPieces; upTo: number; behind: number },
  filter: SpanSearchFilter,
  { order, cursor, limit, keys = [] }: Parameters<SpanSearch["findSpans"]>[1],
): Promise<FoundSpans> {
  if (filter.projectIds.length === 0) return { spans: [], nextCursor: null, searchedFrom: null };
  const size = Math.min(MAX_PAGE, Math.max(1, Math.trunc(limit)));
  const column = order === "newest" ? "started_us" : "duration_us";
  const areFew =
    filter.within && behind + (await pieces.countAtMost(filter, filter.within, upTo)) <= MAX_SEARCHED_ATTRIBUTES;
  const reach = areFew ? WHOLE_REACH : await findSpanReach(database, pieces, upTo, filter, keys);
  const names = keys.map((_, index) => `k${index}`);
  const place = parseSpanCursor(cursor);
  const read = (times: Times) => {
    const conditions = toSpanConditions({ ...filter, ...times }, reach.firstOrdinal, database.hotColumnsOf("spans"));
    if (place !== null) {
      const at = conditions.bind(place.value);
      conditions.add(`${column} <= ${at}`);
      conditions.add(`(${column} < ${at} OR ordinal < ${conditions.bind(place.ordinal)})`);
    }
    const values = keys
      .map((key, index) => `, ${toKeySql(key, conditions, database.hotColumnsOf("spans"))} AS k${index}`)
      .join("");
    const source = toSource(database, times, reach.firstOrdinal);
    return database.read(
      () =>
        `SELECT ${SELECTION}${values} FROM ${source()} WHERE ${conditions} ORDER BY spans.${column} DESC, spans.ordinal DESC LIMIT ${size + 1}`,
      conditions.values,
    );
  };
  const whole = { from: filter.from, to: filter.to };
  const readRows = async () => {
    if (filter.within) {
      // One query for each time: if times are joined by OR, DuckDB reads all rows of a file.
      const found = await Promise.all(filter.within.map(read));
      return found
        .flat()
        .sort((a, b) => Number(b[column]) - Number(a[column]) || Number(b.ordinal) - Number(a.ordinal))
        .slice(0, size + 1);
    }
    if (order !== "newest" || !hasFiles(database, "spans")) return await read(whole);
    const rows: SqlRow[] = [];
    // To the end of the cursor's millisecond.
    const to = place === null ? filter.to : Math.min(filter.to, Math.floor(place.value / 1000) + 1);
    for await (const part of readNewestFirst({ ...whole, to }, read)) {
      rows.push(...part);
      if (rows.length > size) break;
    }
    return rows.slice(0, size + 1);
  };
  const rows = await readRows();
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    spans: rows.slice(0, size).map((row) => toFoundSpan(row, names)),
    nextCursor:
      last === undefined ? null : encodeSpanCursor({ value: Number(last[column]), ordinal: Number(last.ordinal) }),
    ...toReach(reach),
  };
}

function toFoundSpan(row: SqlRow, names: readonly string[]): FoundSpan {
  const text = (name: string) => toText(row[name] ?? null) || null;
  return {
    projectId: Number(row.project_id),
    traceId: String(row.trace_id),
    spanId: String(row.span_id),
    isSegment: row.is_segment === true,
    startedUs: Number(row.started_us),
    durationUs: Number(row.duration_us),
    op: text("op"),
    name: nameRequest(text("name"), { op: text("op"), url: text("request_url") }),
    status: text("status"),
    segment: text("shown_segment"),
    release: text("release"),
    environment: text("environment"),
    service: text("service"),
    userId: text("user_id"),
    values: names.map((name) => toText(row[name])),
  };
}

async function sumFoundSpans(
  database: DuckdbDatabase,
  state: { pieces: SpanPieces; kept: KeptSums; sums: SpanSumState },
  filter: SpanSearchFilter,
  { by, bucketMs, limit, wholeLimit, order, numbers = [] }: SpanSumOptions,
): Promise<SpanGroupSums> {
  const none = { sums: [], hasMore: false };
  if (filter.projectIds.length === 0) return { ...none, totals: [], whole: none, searchedFrom: null };
  const toSize = (limit: number) => Math.min(MAX_GROUPS, Math.max(1, Math.trunc(limit)));
  const [size, wholeSize] = [toSize(limit), wholeLimit === undefined ? 0 : toSize(wholeLimit)];
  if (numbers.length > MAX_NUMBERS) throw new RangeError(`numbers of ${numbers.length} attributes`);
  const keys = [...by, ...numbers];
  const isFromSums = numbers.length === 0 && [...by, ...toKeys(filter)].every(isSummed);
  const reach = isFromSums ? WHOLE_REACH : await findSpanReach(database, state.pieces, state.sums.upTo, filter, keys);
  const conditions = isFromSums
    ? toSumConditions(filter)
    : toSpanConditions(filter, reach.firstOrdinal, database.hotColumnsOf("spans"));
  const from = Math.floor(filter.from / MINUTE_MS);
  const bucketMinutes = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / MINUTE_MS));
  const minute = isFromSums ? "minute" : "started_us // 60000000";
  const at =
    bucketMinutes === null ? "NULL::BIGINT" : `(${minute} - ${from}) // ${bucketMinutes} * ${bucketMinutes} + ${from}`;
  const names = by.map((_, index) => `g${index}`);
  const cell = [...names, "bucket_at"].join(", ");
  const groups = by
    .map((key, index) => `${toKeySql(key, conditions, database.hotColumnsOf("spans"))} AS g${index}, `)
    .join("");
  const numberKeys = numbers.map((key) => toKeySql(key, conditions, database.hotColumnsOf("spans")));
  const ofSums = `spans, weight, total_us, CASE WHEN ${HAS_FAILED} THEN weight ELSE 0 END AS failed, buckets, weights`;
  // Sums have whole minutes, so minutes that the range cuts are read from rows. With buckets, the range has whole minutes.
  const { whole, cut } = bucketMs === null ? cutAtMinutes(filter) : { whole: filter, cut: [] };
  const asked = { filter: whole, bucketMs, conditions };
  const source = toSource(database, filter, reach.firstOrdinal);
  const cutSources = cut.map((times) => ({ times, source: toSource(database, times, null) }));
  const toParts = (kept: KeptTable | null) => {
    if (!isFromSums)
      return `parts AS MATERIALIZED (
         SELECT ${groups}${at} AS bucket_at, ${DURATION_BUCKET} AS bucket, count(*) AS spans, sum(one) AS weight, sum(duration_us * one) AS total_us,
           sum(CASE WHEN ${HAS_FAILED} THEN one ELSE 0 END) AS failed
         FROM (SELECT *, ${SPAN_WEIGHT} AS one FROM ${source()} WHERE ${conditions}) AS spans GROUP BY ALL
       ), bars AS (SELECT ${cell}, bucket, weight AS bar FROM parts)`;
    const ofKept =
      kept &&
      `SELECT ${cell}, spans, weight, total_us, failed, buckets, weights FROM memory.main.${kept.table} WHERE bucket_at >= ${from} UNION ALL `;
    return `parts AS MATERIALIZED (
         ${ofKept ?? ""}SELECT ${groups}${at} AS bucket_at, ${ofSums} FROM (${[
           toSpanSums(state.sums, asked, kept),
           ...cutSources.map(({ times, source }) => toCutMinutes(times, source(), conditions)),
         ].join(" UNION ALL ")})
       ), bars AS MATERIALIZED (${toBars(cell)})`;
  };
  const toNumberParts = (key: string, index: number) => `, parts_${index} AS MATERIALIZED (
       SELECT ${groups}${at} AS bucket_at, ${toNumberBucketSql("number_value")} AS bucket, count(*) AS spans, sum(one) AS weight,
         sum(number_value * one) AS total_us, 0 AS failed, min(number_value) AS least, max(number_value) AS largest
       FROM (SELECT *, ${SPAN_WEIGHT} AS one, TRY_CAST(${key} AS DOUBLE) AS number_value FROM ${source()} WHERE ${conditions}) AS spans
       WHERE abs(number_value) <= ${MAX_NUMBER} GROUP BY ALL
     ), bars_${index} AS (SELECT ${cell}, bucket, weight AS bar, total_us AS bar_total FROM parts_${index}), cells_${index} AS MATERIALIZED (${toCells(cell, `parts_${index}`, ENDS)})`;
  const isSame = (cells: string) =>
    ["true", ...names.map((name) => `${cells}.${name} IS NOT DISTINCT FROM first_groups.${name}`)].join(" AND ");
  const ofFirst = (cells: string, most: number, bucketAt: string) =>
    `SELECT ${cells}.* REPLACE (${bucketAt} AS bucket_at), place FROM ${cells} JOIN first_groups ON place <= ${most} AND ${isSame(cells)}`;
  const toValue = (suffix: string) => (suffix === "" ? "bucket" : "sum(bar_total) / sum(bar)");
  const toAnswers = (suffix: string) => {
    const toAnswer = (kind: string, most: number, bucketAt: string) =>
      `SELECT '${kind}${suffix}' AS kind, ${toSums(ofFirst(`cells${suffix}`, most + 1, bucketAt), ofFirst(`bars${suffix}`, most + 1, bucketAt), toValue(suffix), suffix === "" ? NO_ENDS : ENDS)}`;
    const sums = toAnswer("sum", size, "bucket_at");
    return wholeSize > 0 ? [sums, toAnswer("whole", wholeSize, "NULL::BIGINT")] : [sums];
  };
  const suffixes = numbers.map((_, index) => `_${index}`);
  const answers = [
    ...["", ...suffixes].flatMap(toAnswers),
    `SELECT 'total' AS kind, ${toSums("SELECT *, 0 AS place FROM cells", "SELECT *, 0 AS place FROM bars", toValue(""), NO_ENDS)}`,
  ];
  const sorted = (order?.number === undefined ? "" : suffixes[order.number]) ?? "";
  const ofSorted = {
    names,
    cells: `cells${sorted}`,
    bars: `bars${sorted}`,
    value: toValue(sorted),
    hasEnds: sorted !== "",
  };
  const read = (kept: KeptTable | null) =>
    database.read(
      () => `WITH ${toParts(kept)}, cells AS MATERIALIZED (${toCells(cell, "parts")})${numberKeys.map(toNumberParts).join("")},
     first_groups AS MATERIALIZED (${toFirstGroups(ofSorted, Math.max(size, wholeSize) + 1, order)})
     SELECT ${["answers.* REPLACE (answers.place::DOUBLE AS place)", ...names].join(", ")} FROM (${answers.join(" UNION ALL ")}) AS answers
     LEFT JOIN first_groups ON first_groups.place = answers.place ORDER BY answers.place, bucket_at`,
      conditions.values,
    );
  const rows =
    !isFromSums || bucketMinutes === null
      ? await read(null)
      : await state.kept.use(
          {
            key: JSON.stringify([filter.projectIds, filter.where, by, bucketMinutes, filter.to - filter.from]),
            ...{ range: toMinutes(filter), bucketMinutes, upTo: state.sums.upTo, values: conditions.values },
            sql: `WITH parts AS MATERIALIZED (SELECT ${groups}${at} AS bucket_at, ${ofSums} FROM (${toStoredSpanSums(state.sums, asked)})), ${toKeptSums([...names, "bucket_at"])}`,
          },
          read,
        );
  const found = Map.groupBy(
    rows.filter(({ spans }) => Number(spans) > 0),
    ({ kind }) => kind,
  );
  const toGroups = (kind: string, most: number) => {
    const sums = found.get(kind) ?? [];
    const kept = sums.filter(({ place }) => Number(place) <= most);
    const ofNumbers = suffixes.map(
      (suffix) => new Map((found.get(`${kind}${suffix}`) ?? []).map((row) => [toCellName(row), toNumberSum(row)])),
    );
    const toNumbers = (row: SqlRow) =>
      numbers.length > 0 && { numbers: ofNumbers.map((sums) => sums.get(toCellName(row))) };
    return {
      sums: kept.map((row) => ({ ...toGroupSum(row, names), ...toNumbers(row) })),
      hasMore: kept.length < sums.length,
    };
  };
  return {
    ...toGroups("sum", size),
    totals: (found.get("total") ?? []).map((row) => toGroupSum(row, [])),
    whole: wholeSize === 0 ? none : toGroups("whole", wholeSize),
    ...toReach(reach),
  };
}

/** The smallest and the largest value of numbers. Of durations, only the histogram is known. */
const ENDS = "min(least) AS least, max(largest) AS largest";
const NO_ENDS = "NULL::DOUBLE AS least, NULL::DOUBLE AS largest";

function toCells(cell: string, parts: string, ends = NO_ENDS): string {
  return `SELECT ${cell}, sum(spans) AS spans, sum(weight) AS weight, sum(total_us) AS total_us, sum(failed) AS failed, ${ends} FROM ${parts} GROUP BY ${cell}`;
}

function toBars(cell: string): string {
  return `SELECT ${cell}, bucket, sum(bar) AS bar FROM (SELECT ${cell}, unnest(buckets) AS bucket, unnest(weights) AS bar FROM parts) GROUP BY ALL`;
}

/** SQL after the definition of `parts`: its sums, one row for each cell. */
function toKeptSums(columns: readonly string[]): string {
  const cell = columns.join(", ");
  const isSame = columns.map((name) => `sums.${name} IS NOT DISTINCT FROM lists.${name}`).join(" AND ");
  return `sums AS (
      SELECT ${cell}, sum(spans)::BIGINT AS spans, sum(weight) AS weight, sum(total_us) AS total_us, sum(failed) AS failed FROM parts GROUP BY ALL
    ), lists AS (SELECT ${cell}, list(bucket) AS buckets, list(bar) AS weights FROM (${toBars(cell)}) GROUP BY ${cell})
    SELECT sums.*, buckets, weights FROM sums JOIN lists ON ${isSame}`;
}

/**
 * SQL after SELECT: the figures of cells and the histograms of bars, by place and bucket. Both have the columns of `ofFirst`. `value`: SQL
 * of the value of a bar.
 */
function toSums(cells: string, bars: string, value: string, ends: string): string {
  return `sums.place AS place, sums.bucket_at::DOUBLE AS bucket_at, spans::DOUBLE AS spans, weight, total_us, failed, least, largest, histogram FROM (
      SELECT place, bucket_at, sum(spans) AS spans, sum(weight) AS weight, sum(total_us) AS total_us, sum(failed) AS failed, ${ends} FROM (${cells}) GROUP BY place, bucket_at
    ) AS sums JOIN (
      SELECT place, bucket_at, to_json(list([value, bar]))::VARCHAR AS histogram FROM (
        SELECT place, bucket_at, bucket, ${value} AS value, sum(bar) AS bar FROM (${bars}) GROUP BY place, bucket_at, bucket
      ) GROUP BY place, bucket_at
    ) AS histograms ON histograms.place = sums.place AND histograms.bucket_at IS NOT DISTINCT FROM sums.bucket_at`;
}

function toGroupSum(row: SqlRow, names: readonly string[]): SpanGroupSum {
  return {
    group: names.map((name) => toText(row[name] ?? null) ?? null),
    at: typeof row.bucket_at === "number" ? row.bucket_at * MINUTE_MS : null,
    spans: Number(row.spans),
    weight: Number(row.weight),
    failedWeight: Number(row.failed),
    totalUs: Number(row.total_us),
    durations: JSON.parse(String(row.histogram)),
  };
}

function toCellName({ place, bucket_at: at }: SqlRow): string {
  return `${place} ${at}`;
}

function toNumberSum(row: SqlRow): NumberSum {
  return {
    weight: Number(row.weight),
    total: Number(row.total_us),
    min: Number(row.least),
    max: Number(row.largest),
    values: JSON.parse(String(row.histogram)),
  };
}

function toSumConditions(filter: SpanSearchFilter): SqlConditions {
  const conditions = new SqlConditions().addProjects(filter.projectIds);
  return conditions.add(toConditionSql(filter.where, createSpanDialect(conditions, NO_HOT_COLUMNS)));
}
