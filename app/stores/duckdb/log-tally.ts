import type { LogSeverity } from "../../domain/logs/log-severity.ts";
import { LOG_FACETS, type LogFacet, type LogSummary, MAX_FACET_VALUES } from "../events/logs.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { SEVERITY_SQL } from "./log-conditions.ts";
import { FACET_COLUMNS, FACET_NAMES } from "./log-sum-sql.ts";

/** Values that are read from each statement, so that the most frequent of several statements together are among them. */
const VALUES_OF_ANSWER = 200;

/** @param lines SQL of rows with `occurred_us`, `severity`, the facets, and `lines`, the number of lines */
export function linesByBucketAndFacet(lines: string, bucketUs: number): string {
  return `WITH ${toCells(lines, bucketUs)} ${FACETS} UNION ALL BY NAME ${BUCKETS}`;
}

export function linesByFacet(lines: string, bucketUs: number): string {
  return `WITH ${toCells(lines, bucketUs)} ${FACETS}`;
}

export function linesByBucket(lines: string, bucketUs: number): string {
  return `WITH cells AS (SELECT occurred_us // ${bucketUs} AS bucket, severity, lines FROM (${lines})) ${BUCKETS}`;
}

/** Equal rows are added up first: otherwise each grouping set would hash the texts of every line. */
function toCells(lines: string, bucketUs: number): string {
  return `cells AS MATERIALIZED (
    SELECT occurred_us // ${bucketUs} AS bucket, severity, ${FACET_NAMES}, sum(lines) AS lines FROM (${lines}) GROUP BY ALL
  )`;
}

const BUCKETS = `
  SELECT bucket::DOUBLE AS bucket, word, sum(lines)::DOUBLE AS lines
  FROM (SELECT bucket, ${SEVERITY_SQL} AS word, lines FROM cells) GROUP BY bucket, word`;

const FACETS = `
  SELECT facet, coalesce(${FACET_NAMES}) AS value, lines::DOUBLE AS lines FROM (
    SELECT GROUPING(${FACET_NAMES}) AS facet, ${FACET_NAMES}, sum(lines) AS lines FROM cells
    GROUP BY GROUPING SETS (${LOG_FACETS.map((facet) => `(${FACET_COLUMNS[facet]})`).join(", ")})
  ) WHERE value IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY facet ORDER BY lines DESC, value) <= ${VALUES_OF_ANSWER}`;

/** Adds up the rows of these statements. */
export class LogTally {
  readonly #buckets = new Map<string, LogSummary["buckets"][number]>();
  readonly #counts = new Map(LOG_FACETS.map((facet) => [facet, new Map<string, number>()]));

  add({ facet, bucket, word, value, lines }: SqlRow, bucketMs: number): void {
    if (typeof bucket === "number") {
      const at = bucket * bucketMs;
      const sum = this.#buckets.get(`${at} ${word}`) ?? { at, severity: word as LogSeverity, count: 0 };
      sum.count += Number(lines);
      this.#buckets.set(`${at} ${word}`, sum);
    } else {
      const values = this.#counts.get(toFacet(Number(facet)));
      values?.set(String(value), (values.get(String(value)) ?? 0) + Number(lines));
    }
  }

  summarize(): Pick<LogSummary, "buckets" | "facets"> {
    const facets = LOG_FACETS.map((facet): [LogFacet, Array<{ value: string; count: number }>] => [
      facet,
      [...(this.#counts.get(facet) ?? [])]
        .map(([value, count]) => ({ value, count }))
        .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
        .slice(0, MAX_FACET_VALUES),
    ]);
    return {
      buckets: [...this.#buckets.values()].sort((one, other) => one.at - other.at),
      facets: Object.fromEntries(facets) as LogSummary["facets"],
    };
  }
}

/** `GROUPING` returns a number with a bit for each column that a row is not grouped by. The last column has the lowest bit. */
function toFacet(grouping: number): LogFacet {
  const index = LOG_FACETS.findIndex((_, at) => ((grouping >> (LOG_FACETS.length - 1 - at)) & 1) === 0);
  return LOG_FACETS[index] as LogFacet;
}
