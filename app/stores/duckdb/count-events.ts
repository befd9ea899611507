import type { EventFilter } from "../events/error-events.ts";
import { countFacts, countFactsOverTime } from "./count-issue-facts.ts";
import { toEventConditions } from "./event-conditions.ts";
import { EXACT_USERS_EVENTS } from "./large-issues.ts";
import type { EventReading } from "./read-events.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** More than any page draws. The limit keeps a URL from asking for a bucket per millisecond. */
const MAX_BUCKETS = 10_000;

export async function countEvents(
  reading: EventReading,
  filter: EventFilter,
): Promise<{ events: number; users: number }> {
  if (filter.projectIds.length === 0) return { events: 0, users: 0 };
  const facts = await reading.facts.get(filter);
  if (facts !== null) return countFacts(facts, filter);
  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  const users = await chooseUserCount(reading, filter, conditions);
  const [counted] = await reading.database.read(
    `SELECT count(*)::DOUBLE AS events, ${users}::DOUBLE AS users FROM events WHERE ${conditions}`,
    conditions.values,
  );
  const events = Number(counted?.events);
  reading.largeIssues.note(filter.issueId, events);
  return { events, users: Math.min(events, Number(counted?.users)) };
}

/** @throws {RangeError} when that would be more than 10,000 buckets, or their length is not positive. */
export async function countEventsOverTime(
  reading: EventReading,
  filter: EventFilter & { from: number; to: number },
  bucketMs: number,
): Promise<Array<{ at: number; events: number; users: number }>> {
  const bucketCount = Math.max(0, Math.ceil((filter.to - filter.from) / bucketMs));
  if (!(bucketMs > 0) || !(bucketCount <= MAX_BUCKETS)) {
    throw new RangeError(`${filter.from} to ${filter.to} by ${bucketMs} ms is more than ${MAX_BUCKETS} buckets`);
  }
  const buckets = Array.from({ length: bucketCount }, (_, index) => ({
    at: filter.from + index * bucketMs,
    events: 0,
    users: 0,
  }));
  if (filter.projectIds.length === 0) return buckets;
  const facts = await reading.facts.get(filter);
  if (facts !== null) {
    const counts = countFactsOverTime(facts, filter, bucketMs, bucketCount);
    return buckets.map(({ at }, index) => ({ at, ...(counts[index] as { events: number; users: number }) }));
  }

  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  const users = await chooseUserCount(reading, filter, conditions);
  const bucket = `((occurred_at - ${conditions.bind(filter.from)}) // ${conditions.bind(bucketMs)})::USMALLINT`;
  const counted = await reading.database.read(
    `SELECT ${bucket} AS bucket, count(*)::DOUBLE AS events, ${users}::DOUBLE AS users
     FROM events WHERE ${conditions} GROUP BY bucket`,
    conditions.values,
  );
  let total = 0;
  for (const row of counted) {
    const at = buckets[Number(row.bucket)];
    const events = Number(row.events);
    if (at) Object.assign(at, { events, users: Math.min(events, Number(row.users)) });
    total += events;
  }
  reading.largeIssues.note(filter.issueId, total);
  return buckets;
}

/** SQL that counts users: exactly in up to `EXACT_USERS_EVENTS` events, and estimated in more. */
async function chooseUserCount(
  { database, largeIssues }: EventReading,
  { issueId }: EventFilter,
  conditions: SqlConditions,
): Promise<string> {
  if (issueId !== undefined && !largeIssues.has(issueId)) return EXACT_USERS;
  const [counted] = await database.read(
    `SELECT count(*)::DOUBLE AS events FROM events WHERE ${conditions}`,
    conditions.values,
  );
  return Number(counted?.events) <= EXACT_USERS_EVENTS ? EXACT_USERS : "approx_count_distinct(user_hash)";
}

const EXACT_USERS = "count(DISTINCT user_hash)";
