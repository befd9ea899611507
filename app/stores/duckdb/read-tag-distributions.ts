import type { EventFilter, TagDistribution } from "../events/error-events.ts";
import { findTagColumn } from "../events/tag-columns.ts";
import { FACTS_COLUMNS, type FactsColumn } from "./batch-facts.ts";
import { countFactsTexts, findFactsSample } from "./count-issue-facts.ts";
import { countTagColumns, toDistributions } from "./count-tag-columns.ts";
import { countTagTexts } from "./count-tag-texts.ts";
import { toEventConditions } from "./event-conditions.ts";
import { findSample } from "./find-sample.ts";
import type { EventReading } from "./read-events.ts";

/** Tags are counted in the newest events only, at most this many. */
const SAMPLED_EVENTS = 10_000;

const MAX_VALUES_PER_KEY = 1_000;

export async function readTagDistributions(
  reading: EventReading,
  filter: EventFilter,
  options: { keys?: string[]; valuesPerKey: number; newest?: number },
): Promise<{ countedEvents: number; isSampled: boolean; tags: TagDistribution[] }> {
  if (filter.projectIds.length === 0) return { countedEvents: 0, isSampled: false, tags: [] };
  const valuesPerKey = Math.min(MAX_VALUES_PER_KEY, Math.max(1, Math.trunc(options.valuesPerKey)));
  const sampledEvents = Math.min(SAMPLED_EVENTS, Math.max(1, Math.trunc(options.newest ?? SAMPLED_EVENTS)));
  const columnByKey = findTagColumns(options.keys);
  const facts = await reading.facts.get(filter);
  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  const known = facts && { facts, sample: findFactsSample(facts, filter, sampledEvents) };
  const sample = known?.sample ?? (await findSample(reading, conditions, sampledEvents));
  const counted = {
    countedEvents: Math.min(sampledEvents, sample.events),
    isSampled: sample.events > sampledEvents,
  };
  if (counted.countedEvents === 0 || options.keys?.length === 0) return { ...counted, tags: [] };
  if (known && columnByKey && [...columnByKey.values()].every(isFactsColumn)) {
    const valuesByKey = new Map(
      [...columnByKey].map(([key, column]) => [
        key,
        countFactsTexts(known.facts, column as FactsColumn, known.sample.places),
      ]),
    );
    return { ...counted, tags: toDistributions(valuesByKey, valuesPerKey) };
  }
  if (sample.oldest !== null) {
    // Reading the tags of rows above a bound takes a fifth of the time of sorting rows together with their tags.
    const at = conditions.bind(sample.oldest.occurredAt);
    conditions.add(`occurred_at >= ${at}`);
    conditions.add(`(occurred_at > ${at} OR ordinal >= ${conditions.bind(sample.oldest.ordinal)})`);
  }
  const tags = columnByKey
    ? await countTagColumns(reading.database, conditions, columnByKey, valuesPerKey)
    : await countTagTexts(reading.database, conditions, options.keys, valuesPerKey);
  return { ...counted, tags };
}

function isFactsColumn(column: string): column is FactsColumn {
  return FACTS_COLUMNS.some((name) => name === column);
}

/** Columns by key. Null: some key has no column. */
function findTagColumns(keys: readonly string[] | undefined): Map<string, string> | null {
  const columnByKey = new Map<string, string>();
  for (const key of keys ?? []) {
    const column = findTagColumn(key);
    if (column === undefined) return null;
    columnByKey.set(key, column);
  }
  return columnByKey.size > 0 ? columnByKey : null;
}
