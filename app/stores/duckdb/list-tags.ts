import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { TagValueFilter } from "../events/error-events.ts";
import { escapeTagKey, escapeTagValue, unescapeTag } from "../events/tag-text.ts";
import { IS_COUNTED, toTags } from "./event-tags.ts";
import type { SearchedReading } from "./find-issues.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** How many of the newest events whose tags are not summed yet are counted. After an upgrade, no tags are summed. */
const UNSUMMED_EVENTS = 20_000;

/** Keys of tags with their number of events, most frequent first. */
export async function listTagKeys(
  reading: SearchedReading,
  projectIds: ScopedProjectIds,
  limit: number,
): Promise<Array<{ key: string; count: number }>> {
  const conditions = new SqlConditions();
  const rows = await listCounted(reading, projectIds, { conditions, column: "key", order: "", limit });
  return rows.map(({ text, count }) => ({ key: text, count }));
}

/** Values of a tag with their number of events. Values that begin with `part` come first, then the most frequent. */
export async function listTagValues(
  reading: SearchedReading,
  { projectIds, key, part = "", values }: TagValueFilter,
  limit: number,
): Promise<Array<{ value: string; count: number }>> {
  if (values?.length === 0) return [];
  const conditions = new SqlConditions();
  conditions.addEqual("key", escapeTagKey(key));
  if (values) conditions.addOneOf("value", values.map(escapeTagValue));
  let order = "";
  if (part !== "") {
    const letters = `lower(${conditions.bind(escapeTagValue(part))})`;
    conditions.add(`contains(lower(value), ${letters})`);
    order = `starts_with(lower(text), ${letters}) DESC, `;
  }
  const rows = await listCounted(reading, projectIds, { conditions, column: "value", order, limit });
  return rows.map(({ text, count }) => ({ value: text, count }));
}

async function listCounted(
  { database, nextOrdinal, tagsUpTo }: SearchedReading,
  projectIds: ScopedProjectIds,
  {
    conditions,
    column,
    order,
    limit,
  }: { conditions: SqlConditions; column: "key" | "value"; order: string; limit: number },
): Promise<Array<{ text: string; count: number }>> {
  if (projectIds.length === 0) return [];
  const ids = conditions.bindNumbers(projectIds);
  const upTo = tagsUpTo();
  const from = Math.max(upTo, nextOrdinal() - UNSUMMED_EVENTS);
  const rows = await database.read(
    `SELECT ${column} AS text, sum(events)::DOUBLE AS count FROM (
       SELECT key, value, events FROM event_tags WHERE chunk <= ${upTo} AND ${IS_COUNTED} AND project_id IN ${ids}
       UNION ALL
       SELECT key, value, 1 AS events FROM (${toTags(`ordinal >= ${from} AND project_id IN ${ids}`)}) WHERE ${IS_COUNTED}
     ) WHERE ${conditions} GROUP BY ${column} ORDER BY ${order}count DESC, text LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  return rows.map((row) => ({ text: unescapeTag(String(row.text)), count: Number(row.count) }));
}
