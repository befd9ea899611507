import { type EventFilter, SEARCHED_EVENTS } from "../events/error-events.ts";
import { escapeTagKey } from "../events/tag-text.ts";
import { toEventConditions } from "./event-conditions.ts";
import type { EventReading } from "./read-events.ts";
import { SqlConditions } from "./sql-conditions.ts";

export async function findIssues(
  reading: EventReading,
  filter: EventFilter,
  limit: number,
): Promise<{ issueIds: number[]; isComplete: boolean }> {
  if (filter.projectIds.length === 0) return { issueIds: [], isComplete: true };
  const { from, to } = toSearchedOrdinals(reading);
  const conditions = toEventConditions(filter).addRange("ordinal", from, to);
  const found = await reading.database.read(
    `SELECT issue_id::DOUBLE AS issue_id FROM events WHERE ${conditions}
     GROUP BY issue_id ORDER BY max(occurred_at) DESC, issue_id DESC LIMIT ${Math.trunc(limit) + 1}`,
    conditions.values,
  );
  return {
    issueIds: found.slice(0, limit).map((row) => Number(row.issue_id)),
    isComplete: found.length <= limit && !(await hasOlder(reading, filter, from)),
  };
}

export async function hasTag(reading: EventReading, projectIds: readonly number[], key: string): Promise<boolean> {
  if (projectIds.length === 0) return false;
  const { from, to } = toSearchedOrdinals(reading);
  const conditions = new SqlConditions().addOneOf("project_id", projectIds).addRange("ordinal", from, to);
  conditions.add(`contains(tags, ${conditions.bind(`\n${escapeTagKey(key)}=`)})`);
  const rows = await reading.database.read(`SELECT 1 FROM events WHERE ${conditions} LIMIT 1`, conditions.values);
  return rows.length > 0;
}

function toSearchedOrdinals({ nextOrdinal }: EventReading): { from: number; to: number } {
  const to = nextOrdinal();
  return { from: Math.max(0, to - SEARCHED_EVENTS), to };
}

/** Whether events of the filter's projects and time are too old to be looked at. */
async function hasOlder(
  reading: EventReading,
  { projectIds, from, to }: EventFilter,
  ordinal: number,
): Promise<boolean> {
  if (ordinal === 0) return false;
  const conditions = new SqlConditions().addOneOf("project_id", projectIds).addRange("occurred_at", from, to);
  conditions.addRange("ordinal", null, ordinal);
  const rows = await reading.database.read(`SELECT 1 FROM events WHERE ${conditions} LIMIT 1`, conditions.values);
  return rows.length > 0;
}
