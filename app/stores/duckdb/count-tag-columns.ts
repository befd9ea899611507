import type { TagDistribution } from "../event-store.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** As a row of the result: a value of a key, with what is known about the key. */
export interface CountedTag {
  key: string;
  value: string;
  events: number;
  lastSeenAt: number;
  total: number;
  distinctCount: number;
}

/** The values of tags that are columns, in one pass over the events: by key, and the most frequent first. */
export async function countTagColumns(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  columnByKey: ReadonlyMap<string, string>,
  valuesPerKey: number,
): Promise<CountedTag[]> {
  const columns = [...columnByKey.values()];
  const values = conditions.clone();
  // Of a set of one column, the bits of all others are set; the first column has the highest bit.
  const keyOfSet = [...columnByKey.keys()]
    .map((key, index) => `WHEN ${2 ** columns.length - 1 - 2 ** (columns.length - 1 - index)} THEN ${values.bind(key)}`)
    .join(" ");
  const rows = await database.read(
    `WITH sets AS (
       SELECT CASE GROUPING_ID(${columns.join(", ")}) ${keyOfSet} END AS key, coalesce(${columns.join(", ")}, NULL) AS value,
              count(*) AS events, max(occurred_at) AS last_seen_at
       FROM events WHERE ${conditions} GROUP BY GROUPING SETS (${columns.map((column) => `(${column})`).join(", ")})
     ), ranked AS (
       SELECT *, sum(events) OVER (PARTITION BY key) AS total, count(*) OVER (PARTITION BY key) AS distinct_count,
              row_number() OVER (PARTITION BY key ORDER BY events DESC, last_seen_at DESC, value) AS place
       FROM sets WHERE value IS NOT NULL
     )
     SELECT key, value, events::DOUBLE AS events, last_seen_at::DOUBLE AS last_seen_at, total::DOUBLE AS total,
            distinct_count::DOUBLE AS distinct_count
     FROM ranked WHERE place <= ${valuesPerKey} ORDER BY total DESC, key, place`,
    values.values,
  );
  return rows.map((row) => ({
    key: String(row.key),
    value: String(row.value),
    events: Number(row.events),
    lastSeenAt: Number(row.last_seen_at),
    total: Number(row.total),
    distinctCount: Number(row.distinct_count),
  }));
}

/** Rows that come key by key, as distributions. */
export function toTagDistributions(counted: readonly CountedTag[]): TagDistribution[] {
  const tags = new Map<string, TagDistribution>();
  for (const { key, value, events, lastSeenAt, total, distinctCount } of counted) {
    let tag = tags.get(key);
    if (!tag) {
      tag = { key, total, distinctCount, values: [] };
      tags.set(key, tag);
    }
    tag.values.push({ value, count: events, lastSeenAt });
  }
  return [...tags.values()];
}
