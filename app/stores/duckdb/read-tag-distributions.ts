import type { EventFilter, TagDistribution } from "../event-store.ts";
import { type CountedTag, countTagColumns, toTagDistributions } from "./count-tag-columns.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toEventConditions } from "./event-conditions.ts";
import type { EventReading } from "./read-events.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import { findTagColumn } from "./tag-columns.ts";
import { escapeTagKey, fromTagPair, unescapeTag } from "./tag-text.ts";

/** Of so many events the tags are counted, the newest ones. */
const SAMPLED_EVENTS = 10_000;

/** Those that most events carry. Keys come from senders, and no page shows more. */
const MAX_KEYS = 200;

const MAX_VALUES_PER_KEY = 1_000;

export async function readTagDistributions(
  { database, nextOrdinal }: EventReading,
  filter: EventFilter,
  options: { keys?: string[]; valuesPerKey: number },
): Promise<{ countedEvents: number; isSampled: boolean; tags: TagDistribution[] }> {
  if (filter.projectIds.length === 0) return { countedEvents: 0, isSampled: false, tags: [] };
  const conditions = toEventConditions(filter).addRange("ordinal", null, nextOrdinal());
  const [found] = await database.read(
    `SELECT count(*)::DOUBLE AS events FROM events WHERE ${conditions}`,
    conditions.values,
  );
  const countedEvents = Math.min(SAMPLED_EVENTS, Number(found?.events));
  const isSampled = Number(found?.events) > SAMPLED_EVENTS;
  if (countedEvents === 0 || options.keys?.length === 0) return { countedEvents, isSampled, tags: [] };
  if (isSampled) {
    const [oldest] = await database.read(
      `SELECT occurred_at::DOUBLE AS occurred_at, ordinal::DOUBLE AS ordinal FROM events WHERE ${conditions}
       ORDER BY occurred_at DESC, ordinal DESC LIMIT 1 OFFSET ${SAMPLED_EVENTS - 1}`,
      conditions.values,
    );
    // Reading the tags of what is newer than a bound takes a fifth of sorting rows together with their tags.
    const at = conditions.bind(Number(oldest?.occurred_at));
    conditions.add(`occurred_at >= ${at}`);
    conditions.add(`(occurred_at > ${at} OR ordinal >= ${conditions.bind(Number(oldest?.ordinal))})`);
  }

  const valuesPerKey = Math.min(MAX_VALUES_PER_KEY, Math.max(1, Math.trunc(options.valuesPerKey)));
  const columnByKey = findTagColumns(options.keys);
  const counted = columnByKey
    ? await countTagColumns(database, conditions, columnByKey, valuesPerKey)
    : await countTagTexts(database, conditions, options.keys, valuesPerKey);
  return { countedEvents, isSampled, tags: toTagDistributions(counted) };
}

/** Null when not all of the keys are columns. */
function findTagColumns(keys: readonly string[] | undefined): Map<string, string> | null {
  const columnByKey = new Map<string, string>();
  for (const key of keys ?? []) {
    const column = findTagColumn(key);
    if (column === undefined) return null;
    columnByKey.set(key, column);
  }
  return columnByKey.size > 0 ? columnByKey : null;
}

/** The values of all keys, or of those named, cut out of the texts; by key, and the most frequent first. */
async function countTagTexts(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  keys: readonly string[] | undefined,
  valuesPerKey: number,
): Promise<CountedTag[]> {
  const values = conditions.clone();
  const ofKeys = keys ? `WHERE key IN (${keys.map((key) => values.bind(escapeTagKey(key))).join(", ")})` : "";
  const rows = await database.read(
    `WITH pairs AS (
       SELECT pair, count(*) AS events, max(occurred_at) AS last_seen_at
       FROM (SELECT unnest(string_split(tags, chr(10))) AS pair, occurred_at FROM events WHERE ${conditions})
       WHERE pair <> '' GROUP BY pair
     ), ranked AS (
       SELECT key, pair, events, last_seen_at,
              sum(events) OVER (PARTITION BY key) AS total,
              count(*) OVER (PARTITION BY key) AS distinct_count,
              row_number() OVER (PARTITION BY key ORDER BY events DESC, last_seen_at DESC, pair) AS place
       FROM (SELECT split_part(pair, '=', 1) AS key, * FROM pairs) ${ofKeys}
     )
     SELECT key, pair, events::DOUBLE AS events, last_seen_at::DOUBLE AS last_seen_at, total::DOUBLE AS total,
            distinct_count::DOUBLE AS distinct_count
     FROM (SELECT *, dense_rank() OVER (ORDER BY total DESC, key) AS key_place FROM ranked WHERE place <= ${valuesPerKey})
     WHERE key_place <= ${MAX_KEYS}
     ORDER BY key_place, place`,
    values.values,
  );
  return rows.map((row) => ({
    key: unescapeTag(String(row.key)),
    value: fromTagPair(String(row.pair))[1],
    events: Number(row.events),
    lastSeenAt: Number(row.last_seen_at),
    total: Number(row.total),
    distinctCount: Number(row.distinct_count),
  }));
}
