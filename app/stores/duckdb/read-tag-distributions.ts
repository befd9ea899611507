import type { EventFilter, TagDistribution } from "../event-store.ts";
import { findFactsSample } from "./count-issue-facts.ts";
import { countTagColumns } from "./count-tag-columns.ts";
import { countTagTexts } from "./count-tag-texts.ts";
import { toEventConditions } from "./event-conditions.ts";
import type { EventReading } from "./read-events.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import { findTagColumn } from "./tag-columns.ts";

/** Of so many events the tags are counted, the newest ones. */
const SAMPLED_EVENTS = 10_000;

const MAX_VALUES_PER_KEY = 1_000;

export async function readTagDistributions(
  reading: EventReading,
  filter: EventFilter,
  options: { keys?: string[]; valuesPerKey: number },
): Promise<{ countedEvents: number; isSampled: boolean; tags: TagDistribution[] }> {
  if (filter.projectIds.length === 0) return { countedEvents: 0, isSampled: false, tags: [] };
  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  const { events, oldest } = await findSample(reading, filter, conditions);
  const countedEvents = Math.min(SAMPLED_EVENTS, events);
  const isSampled = events > SAMPLED_EVENTS;
  if (countedEvents === 0 || options.keys?.length === 0) return { countedEvents, isSampled, tags: [] };
  if (oldest !== null) {
    // Reading the tags of what is newer than a bound takes a fifth of sorting rows together with their tags.
    const at = conditions.bind(oldest.occurredAt);
    conditions.add(`occurred_at >= ${at}`);
    conditions.add(`(occurred_at > ${at} OR ordinal >= ${conditions.bind(oldest.ordinal)})`);
  }
  const valuesPerKey = Math.min(MAX_VALUES_PER_KEY, Math.max(1, Math.trunc(options.valuesPerKey)));
  const columnByKey = findTagColumns(options.keys);
  const tags = columnByKey
    ? await countTagColumns(reading.database, conditions, columnByKey, valuesPerKey)
    : await countTagTexts(reading.database, conditions, options.keys, valuesPerKey);
  return { countedEvents, isSampled, tags };
}

/** How many events match, and the oldest that is counted where not all are. */
async function findSample(
  reading: EventReading,
  filter: EventFilter,
  conditions: SqlConditions,
): Promise<{ events: number; oldest: { occurredAt: number; ordinal: number } | null }> {
  const facts = await reading.facts.get(filter);
  if (facts !== null) return findFactsSample(facts, filter, SAMPLED_EVENTS);
  const [counted] = await reading.database.read(
    `SELECT count(*)::DOUBLE AS events FROM events WHERE ${conditions}`,
    conditions.values,
  );
  const events = Number(counted?.events);
  if (events <= SAMPLED_EVENTS) return { events, oldest: null };
  const [oldest] = await reading.database.read(
    `SELECT occurred_at::DOUBLE AS occurred_at, ordinal::DOUBLE AS ordinal FROM events WHERE ${conditions}
     ORDER BY occurred_at DESC, ordinal DESC LIMIT 1 OFFSET ${SAMPLED_EVENTS - 1}`,
    conditions.values,
  );
  return { events, oldest: { occurredAt: Number(oldest?.occurred_at), ordinal: Number(oldest?.ordinal) } };
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
