import type { LogSeverity } from "../../domain/logs/log-severity.ts";
import { LOG_FACETS, type LogFacet, type LogFilter, type LogSummary, MAX_FACET_VALUES } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { SEVERITY_SQL, toLogConditions } from "./log-conditions.ts";
import { toLogPieces } from "./log-pieces.ts";

const COLUMNS: Readonly<Record<LogFacet, string>> = {
  service: "service",
  logger: "logger",
  release: "release",
  environment: "environment",
  serverAddress: "server_address",
};
/** Taken of each piece, so that the most frequent of all pieces together are among them. */
const VALUES_OF_PIECE = 200;

export async function summarizeLogs(
  database: DuckdbDatabase,
  filter: LogFilter,
  { bucketMs, budgetMs }: { bucketMs: number; budgetMs: number },
): Promise<LogSummary> {
  const buckets = new Map<string, LogSummary["buckets"][number]>();
  const counts = new Map(LOG_FACETS.map((facet) => [facet, new Map<string, number>()]));
  let countedFrom = filter.to;
  const range = { fromUs: Math.ceil(filter.from * 1000), toUs: Math.ceil(filter.to * 1000) };
  const sets = LOG_FACETS.map((facet) => `(${COLUMNS[facet]})`).join(", ");
  const names = LOG_FACETS.map((facet) => COLUMNS[facet]).join(", ");
  for (const { fromUs, toUs } of filter.projectIds.length === 0 ? [] : toLogPieces(range, { budgetMs })) {
    const conditions = toLogConditions(filter).addRange("occurred_us", fromUs, toUs);
    const rows = await database.read(
      `SELECT facet, bucket::DOUBLE AS bucket, word, coalesce(${names}) AS value, lines::DOUBLE AS lines FROM (
         SELECT GROUPING(bucket, ${names}) AS facet, bucket, word, ${names}, count(*) AS lines
         FROM (SELECT occurred_us // ${Math.trunc(bucketMs * 1000)} AS bucket, ${SEVERITY_SQL} AS word, ${names}
               FROM logs WHERE ${conditions})
         GROUP BY GROUPING SETS ((bucket, word), ${sets})
       ) WHERE bucket IS NOT NULL OR value IS NOT NULL
       QUALIFY bucket IS NOT NULL OR row_number() OVER (PARTITION BY facet ORDER BY lines DESC, value) <= ${VALUES_OF_PIECE}`,
      conditions.values,
    );
    for (const { facet: grouping, bucket, word, value, lines } of rows) {
      if (typeof bucket === "number") {
        const at = bucket * bucketMs;
        const sum = buckets.get(`${at} ${word}`) ?? { at, severity: word as LogSeverity, count: 0 };
        sum.count += Number(lines);
        buckets.set(`${at} ${word}`, sum);
      } else {
        const values = counts.get(toFacet(Number(grouping)));
        values?.set(String(value), (values.get(String(value)) ?? 0) + Number(lines));
      }
    }
    countedFrom = fromUs / 1000;
  }
  const facets = LOG_FACETS.map((facet): [LogFacet, Array<{ value: string; count: number }>] => [
    facet,
    [...(counts.get(facet) ?? [])]
      .map(([value, count]) => ({ value, count }))
      .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
      .slice(0, MAX_FACET_VALUES),
  ]);
  return {
    buckets: [...buckets.values()].sort((one, other) => one.at - other.at),
    facets: Object.fromEntries(facets) as LogSummary["facets"],
    countedFrom,
  };
}

/** `GROUPING` gives a bit for each column that a row is not grouped by; the last column has the lowest. */
function toFacet(grouping: number): LogFacet {
  const index = LOG_FACETS.findIndex((_, at) => ((grouping >> (LOG_FACETS.length - 1 - at)) & 1) === 0);
  return LOG_FACETS[index] as LogFacet;
}
