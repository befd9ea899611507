import { MANY_VALUES } from "../../domain/number-summary.ts";
import { NUMBER_PATTERN } from "../../domain/search/text-number.ts";
import type {
  ComparedCounts,
  ComparedSpans,
  SpanComparison,
  SpanSearchFilter,
  SpanSelection,
} from "../events/span-search.ts";
import { MAX_COMPARED_NUMBERS, MAX_COMPARED_VALUES } from "../events/span-search.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toSpanConditions } from "./span-conditions.ts";
import type { SpanPieces } from "./span-pieces.ts";
import { findSpanReach, toReach } from "./span-reach.ts";
import { toSource } from "./span-source.ts";
import { MAX_NUMBER, SEARCHED_FIELDS, SPAN_WEIGHT, toNumberBucketSql } from "./span-sum-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Spans of each side whose attributes are read. The last block may add some. */
const SAMPLE_SPANS = 5_000;
/** Rows of a block. To read one of them, DuckDB unpacks about this many. */
const BLOCK_ROWS = 1_024;
/** Blocks that are read for each side. */
const MAX_BLOCKS = 128;
/** Longer values are skipped: hardly any of them is shared by many spans. */
const MAX_VALUE_CHARACTERS = 200;

/**
 * Compares the attributes of the selected spans with those of the other spans that match the filter.
 * @param upTo rows below this ordinal are summed
 */
export async function compareSpans(
  database: DuckdbDatabase,
  pieces: SpanPieces,
  upTo: number,
  filter: SpanSearchFilter,
  selection: SpanSelection,
): Promise<SpanComparison> {
  const nothing = { spans: 0, read: 0, weight: 0 };
  if (filter.projectIds.length === 0)
    return { selected: nothing, rest: nothing, values: [], numbers: [], searchedFrom: null };
  const reach = await findSpanReach(database, pieces, upTo, filter, []);
  const { firstOrdinal } = reach;
  const conditions = toSpanConditions(filter, firstOrdinal, database.hotColumnsOf("spans"));
  const isSelected = toSelectionSql(selection, conditions);
  const source = toSource(database, filter, firstOrdinal);
  const columns = await database.readNumbers(
    () => `SELECT (ordinal // ${BLOCK_ROWS})::DOUBLE AS block, count(*) FILTER (${isSelected})::DOUBLE AS selected, count(*)::DOUBLE AS spans
     FROM ${source()} WHERE ${conditions} GROUP BY block ORDER BY block`,
    conditions.values,
  );
  const [blocks, selected, spans] = columns as [Float64Array, Float64Array, Float64Array];
  const rest = spans.map((count, index) => count - (selected[index] ?? 0));
  const places = { selected: chooseBlocks(blocks, selected), rest: chooseBlocks(blocks, rest) };
  const sum = (counts: Float64Array) => counts.reduce((one, other) => one + other, 0);
  const read = await readValues(database, { filter, firstOrdinal, selection, places });
  return {
    selected: { ...read.selected, spans: sum(selected) },
    rest: { ...read.rest, spans: sum(rest) },
    values: read.values,
    numbers: read.numbers,
    ...toReach(reach),
  };
}

function toSelectionSql({ fromUs, toUs, minUs, maxUs }: SpanSelection, conditions: SqlConditions): string {
  const bind = (value: number) => conditions.bind(Math.round(value));
  return `(started_us >= ${bind(fromUs)} AND started_us < ${bind(toUs)} AND duration_us >= ${bind(minUs)}${
    maxUs === null ? "" : ` AND duration_us < ${bind(maxUs)}`
  })`;
}

/** Chooses blocks from all over the range until they have enough spans. Chooses the same ones each time. */
function chooseBlocks(blocks: Float64Array, counts: Float64Array): number[] {
  const spread = Array.from(blocks, (block, index) => ({ block, count: counts[index] ?? 0, order: toOrder(block) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.order - other.order);
  const chosen: number[] = [];
  let spans = 0;
  for (const { block, count } of spread) {
    if (spans >= SAMPLE_SPANS || chosen.length === MAX_BLOCKS) break;
    chosen.push(block);
    spans += count;
  }
  return chosen;
}

/** An order that puts neighbours far apart (Knuth's multiplicative hash). */
function toOrder(block: number): number {
  return Math.imul(block, 2_654_435_761) >>> 0;
}

/** Fields have texts, although some of them look like numbers: the ids of users, the builds of releases. SQL. */
function toFieldNames(): string {
  return SEARCHED_FIELDS.map(([key]) => `'${key}'`).join(", ");
}

interface Sample {
  filter: SpanSearchFilter;
  firstOrdinal: number | null;
  selection: SpanSelection;
  places: { selected: readonly number[]; rest: readonly number[] };
}

async function readValues(
  database: DuckdbDatabase,
  { filter, firstOrdinal, selection, places }: Sample,
): Promise<Pick<SpanComparison, "values" | "numbers"> & Record<"selected" | "rest", Omit<ComparedSpans, "spans">>> {
  const conditions = toSpanConditions(filter, firstOrdinal, database.hotColumnsOf("spans"));
  const isSelected = toSelectionSql(selection, conditions);
  const inBlocks = (chosen: readonly number[]) =>
    chosen.length === 0 ? "false" : `ordinal // ${BLOCK_ROWS} IN (${chosen.join(", ")})`;
  const texts = `list_transform(map_values(others), each -> coalesce(each ->> '$.value', each ->> '$'))`;
  const total = (what: string, side: string) => `(SELECT coalesce(${what} FILTER (${side}), 0) FROM sample)::DOUBLE`;
  const source = toSource(database, filter, firstOrdinal);
  const rows = await database.read(
    () => `WITH sample AS MATERIALIZED (
       SELECT is_selected, weight, list_concat([${toFieldNames()}], coalesce(map_keys(others), [])) AS keys,
         list_concat([${SEARCHED_FIELDS.map(([, column]) => `${column}::VARCHAR`).join(", ")}], coalesce(TRY(${texts}), [])) AS texts
       FROM (
         SELECT *, ${isSelected} AS is_selected, ${SPAN_WEIGHT} AS weight, TRY(from_json(attributes, '"MAP(VARCHAR, JSON)"')) AS others
         FROM ${source()} WHERE ${conditions} AND ((${isSelected} AND ${inBlocks(places.selected)}) OR (NOT ${isSelected} AND ${inBlocks(places.rest)}))
       )
     ), pairs AS (
       SELECT is_selected, weight, unnest(keys) AS key, unnest(texts) AS text FROM sample
     ), counted AS (
       SELECT key, text, count(*) FILTER (is_selected)::DOUBLE AS selected, count(*) FILTER (NOT is_selected)::DOUBLE AS rest,
         coalesce(sum(weight) FILTER (is_selected), 0)::DOUBLE AS selected_weight, coalesce(sum(weight) FILTER (NOT is_selected), 0)::DOUBLE AS rest_weight
       FROM pairs WHERE text <> '' AND length(text) <= ${MAX_VALUE_CHARACTERS} GROUP BY key, text
     ), totals AS (
       SELECT ${total("count(*)", "is_selected")} AS selected_read, ${total("count(*)", "NOT is_selected")} AS rest_read,
         ${total("sum(weight)", "is_selected")} AS selected_total, ${total("sum(weight)", "NOT is_selected")} AS rest_total
     ), read AS (
       SELECT *, TRY_CAST(regexp_extract(text, '${NUMBER_PATTERN}') AS DOUBLE) AS number FROM counted
     ), of_numbers AS (
       SELECT key FROM read WHERE key NOT IN (${toFieldNames()}) GROUP BY key HAVING count(*) > ${MANY_VALUES} AND 2 * count(number) > count(*)
     ), found AS (
       (SELECT key, text, NULL::DOUBLE AS number, selected, rest, selected_weight, rest_weight,
          row_number() OVER (ORDER BY abs(selected_weight / greatest(selected_total, 1e-9) - rest_weight / greatest(rest_total, 1e-9)) DESC, key, text) AS place
        FROM totals, counted ANTI JOIN of_numbers USING (key) ORDER BY place LIMIT ${MAX_COMPARED_VALUES})
       UNION ALL
       (SELECT key, NULL AS text, sum(number * (selected_weight + rest_weight)) / sum(selected_weight + rest_weight) AS number,
          sum(selected) AS selected, sum(rest) AS rest, sum(selected_weight) AS selected_weight, sum(rest_weight) AS rest_weight, NULL AS place
        FROM read SEMI JOIN of_numbers USING (key) WHERE abs(number) <= ${MAX_NUMBER}
        GROUP BY key, ${toNumberBucketSql("number")} ORDER BY sum(read.selected_weight + read.rest_weight) DESC LIMIT ${MAX_COMPARED_NUMBERS})
     )
     SELECT totals.*, found.* EXCLUDE (place) FROM totals LEFT JOIN found ON true ORDER BY place, key, number`,
    conditions.values,
  );
  const [totals] = rows;
  return {
    selected: { read: Number(totals?.selected_read), weight: Number(totals?.selected_total) },
    rest: { read: Number(totals?.rest_read), weight: Number(totals?.rest_total) },
    values: rows.flatMap((row) =>
      row.text === null ? [] : [{ key: String(row.key), value: String(row.text), ...toCounts(row) }],
    ),
    numbers: rows.flatMap((row) =>
      row.number === null ? [] : [{ key: String(row.key), number: Number(row.number), ...toCounts(row) }],
    ),
  };
}

function toCounts(row: SqlRow): ComparedCounts {
  return {
    selected: { spans: Number(row.selected), weight: Number(row.selected_weight) },
    rest: { spans: Number(row.rest), weight: Number(row.rest_weight) },
  };
}
