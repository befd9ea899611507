import type { Condition } from "../../domain/search/condition.ts";
import { type EventFilter, SEARCHED_EVENTS } from "../events/error-events.ts";
import { escapeTagKey } from "../events/tag-text.ts";
import { toEventConditions } from "./event-conditions.ts";
import { IS_COUNTED, isOfKey } from "./event-tags.ts";
import type { SummedIssueFinder } from "./find-summed-issues.ts";
import type { EventReading } from "./read-events.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Finds issues among summed events by the sums of their tags. The newest events, which are not summed, are read. */
export type SearchedReading = EventReading & { tagsUpTo: () => number; summedIssues: SummedIssueFinder };

export async function findIssues(
  reading: SearchedReading,
  filter: EventFilter,
  limit: number,
  storedFrom = 0,
): Promise<{ issueIds: number[]; isComplete: boolean; storedUpTo: number }> {
  const { from: oldest, to } = toSearchedOrdinals(reading);
  if (filter.projectIds.length === 0) return { issueIds: [], isComplete: true, storedUpTo: to };
  const from = Math.max(oldest, storedFrom);
  const lastSeen = new Map<number, number>();
  const note = (issueId: number, at: number) => {
    lastSeen.set(issueId, Math.max(at, lastSeen.get(issueId) ?? Number.NEGATIVE_INFINITY));
  };
  const look = async (conditions: SqlConditions) => {
    const found = await reading.database.read(
      `SELECT issue_id::DOUBLE AS issue_id, max(occurred_at)::DOUBLE AS last_seen FROM events WHERE ${conditions}
       GROUP BY issue_id ORDER BY last_seen DESC, issue_id DESC LIMIT ${Math.trunc(limit) + 1}`,
      conditions.values,
    );
    for (const { issue_id, last_seen } of found) note(Number(issue_id), Number(last_seen));
  };
  const middle = Math.min(to, Math.max(from, reading.tagsUpTo()));
  // In parallel: none needs the result of another, and each mostly waits.
  const [summed, isOlderLeft] = await Promise.all([
    middle > from ? reading.summedIssues.find(filter, { from, to: middle }) : null,
    hasOlder(reading, filter, oldest),
    to > middle ? look(toEventConditions(filter).addRange("ordinal", middle, to)) : null,
  ]);
  for (const [issueId, at] of summed?.found ?? []) note(issueId, at);
  for (const range of summed?.unknown ?? (middle > from ? [{ from, to: middle }] : []))
    await look(toEventConditions(filter, range));
  const newestFirst = [...lastSeen].sort(([a, aSeen], [b, bSeen]) => bSeen - aSeen || b - a).map(([id]) => id);
  return {
    issueIds: newestFirst.slice(0, limit),
    isComplete: newestFirst.length <= limit && !isOlderLeft,
    storedUpTo: to,
  };
}

export async function hasTag(reading: SearchedReading, projectIds: readonly number[], key: string): Promise<boolean> {
  if (projectIds.length === 0) return false;
  const ofProjects = projectIds as EventFilter["projectIds"];
  // The row of a tag is deleted with the last event that has it.
  const summed = new SqlConditions().addProjects(ofProjects).add(IS_COUNTED);
  summed.add(isOfKey(summed.bind(escapeTagKey(key))));
  const known = await reading.database.read(`SELECT 1 FROM event_tags WHERE ${summed} LIMIT 1`, summed.values);
  if (known.length > 0) return true;
  const where: Condition = { kind: "test", field: key, isTag: true, isNegated: false, test: { kind: "exists" } };
  const filter = { projectIds: ofProjects, from: null, to: null, where };
  const { from, to } = toSearchedOrdinals(reading);
  const rest = toEventConditions(filter).addRange("ordinal", Math.max(from, reading.tagsUpTo()), to);
  const rows = await reading.database.read(`SELECT 1 FROM events WHERE ${rest} LIMIT 1`, rest.values);
  return rows.length > 0;
}

function toSearchedOrdinals({ nextOrdinal }: EventReading): { from: number; to: number } {
  const to = nextOrdinal();
  return { from: Math.max(0, to - SEARCHED_EVENTS), to };
}

/** Whether events of the filter's projects and time are too old to be searched. */
async function hasOlder(
  reading: EventReading,
  { projectIds, from, to }: EventFilter,
  ordinal: number,
): Promise<boolean> {
  if (ordinal === 0) return false;
  const conditions = new SqlConditions().addProjects(projectIds).addRange("occurred_at", from, to);
  conditions.addRange("ordinal", null, ordinal);
  const rows = await reading.database.read(`SELECT 1 FROM events WHERE ${conditions} LIMIT 1`, conditions.values);
  return rows.length > 0;
}
