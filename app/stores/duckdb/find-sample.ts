import type { EventFilter } from "../events/error-events.ts";
import { findFactsSample } from "./count-issue-facts.ts";
import { toEventConditions } from "./event-conditions.ts";
import type { EventReading } from "./read-events.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** The number of matching events, and the oldest of the newest `count` of them. Null: there are no more than `count`. */
export interface EventSample {
  events: number;
  oldest: { occurredAt: number; ordinal: number } | null;
}

/** Finds the sample with SQL. */
export async function findSample(
  { database }: EventReading,
  conditions: SqlConditions,
  count: number,
): Promise<EventSample> {
  const [counted] = await database.read(
    `SELECT count(*)::DOUBLE AS events FROM events WHERE ${conditions}`,
    conditions.values,
  );
  const events = Number(counted?.events);
  if (events <= count) return { events, oldest: null };
  const [oldest] = await database.read(
    `SELECT occurred_at::DOUBLE AS occurred_at, ordinal::DOUBLE AS ordinal FROM events WHERE ${conditions}
     ORDER BY occurred_at DESC, ordinal DESC LIMIT 1 OFFSET ${count - 1}`,
    conditions.values,
  );
  return { events, oldest: { occurredAt: Number(oldest?.occurred_at), ordinal: Number(oldest?.ordinal) } };
}

/** When the oldest of the newest `count` matching events happened, milliseconds since 1970. Null: there are no more than `count`. */
export async function findBound(reading: EventReading, filter: EventFilter, count: number): Promise<number | null> {
  if (filter.projectIds.length === 0) return null;
  const facts = await reading.facts.get(filter);
  const sample = facts
    ? findFactsSample(facts, filter, count)
    : await findSample(
        reading,
        toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal()),
        Math.trunc(count),
      );
  return sample.oldest?.occurredAt ?? null;
}
