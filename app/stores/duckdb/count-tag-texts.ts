import type { TagDistribution } from "../events/error-events.ts";
import { escapeTagKey, fromTagPair, unescapeTag } from "../events/tag-text.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Only the keys with most events are counted: senders choose keys, and no page shows more. */
const MAX_KEYS = 200;

/** Counts the values of tags in the column `tags`. `keys` undefined: all keys. */
export async function countTagTexts(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  keys: readonly string[] | undefined,
  valuesPerKey: number,
): Promise<TagDistribution[]> {
  const values = conditions.clone();
  const ofKeys = keys ? `WHERE key IN (${keys.map((key) => values.bind(escapeTagKey(key))).join(", ")})` : "";
  const rows = await database.read(
    `WITH pairs AS (
       SELECT pair, count(*) AS events, min(occurred_at) AS first_seen_at, max(occurred_at) AS last_seen_at
       FROM (SELECT unnest(string_split(tags, chr(10))) AS pair, occurred_at FROM events WHERE ${conditions})
       WHERE pair <> '' GROUP BY pair
     ), ranked AS (
       SELECT key, pair, events, first_seen_at, last_seen_at,
              sum(events) OVER (PARTITION BY key) AS total,
              count(*) OVER (PARTITION BY key) AS distinct_count,
              row_number() OVER (PARTITION BY key ORDER BY events DESC, last_seen_at DESC, pair) AS place
       FROM (SELECT split_part(pair, '=', 1) AS key, * FROM pairs) ${ofKeys}
     )
     SELECT key, pair, events::DOUBLE AS events, first_seen_at::DOUBLE AS first_seen_at, last_seen_at::DOUBLE AS last_seen_at,
            total::DOUBLE AS total, distinct_count::DOUBLE AS distinct_count
     FROM (SELECT *, dense_rank() OVER (ORDER BY total DESC, key) AS key_place FROM ranked WHERE place <= ${valuesPerKey})
     WHERE key_place <= ${MAX_KEYS}
     ORDER BY key_place, place`,
    values.values,
  );
  const tags = new Map<string, TagDistribution>();
  for (const row of rows) {
    const key = unescapeTag(String(row.key));
    let tag = tags.get(key);
    if (!tag) {
      tag = { key, total: Number(row.total), distinctCount: Number(row.distinct_count), values: [] };
      tags.set(key, tag);
    }
    tag.values.push({
      value: fromTagPair(String(row.pair))[1],
      count: Number(row.events),
      firstSeenAt: Number(row.first_seen_at),
      lastSeenAt: Number(row.last_seen_at),
    });
  }
  return [...tags.values()];
}
