import { DAY_MS, HOUR_MS, MINUTE_MS, toDay, toHour } from "../time.ts";

/**
 * How many events an issue that is archived until it escalates may have: the bounds of one day, set from its own past.
 *
 * A bound is a factor times the busiest hour (or day) of the last week: the seven whole days before, and today so far. The factor is 2.
 * An issue younger than a week has 4, and one younger than a day 10: its past says little. An hour has at least 10 events, a day at least
 * 30, so that a quiet issue does not come back with a handful. A day counts only once the issue is a week old.
 *
 * An issue is often archived in the middle of a burst. Its running hour then counts with what it comes to at its rate, and the running day
 * with the same rate until midnight.
 *
 * Bounds are made when the issue is archived, and again for each later day. They may fall and rise, but never above the first ones:
 * an issue that grows a little each day comes back, too.
 */
export interface EscalationBounds {
  /** Whole days since 1970 (UTC): they hold for its events. Days after it have their own. */
  day: number;
  perHour: EscalationBound;
  /** Null: the issue was younger than a week. */
  perDay: EscalationBound | null;
}

export interface EscalationBound {
  /** The issue comes back with more events than these within the hour or the day (UTC). */
  most: number;
  /** Events of the busiest hour or day of the last week. */
  busiest: number;
  /** True if `busiest` is the current hour or day, extended at its rate. */
  isRate: boolean;
  /** The first value of `most`. Later values never exceed it. */
  ceiling: number;
}

/** An issue's own past. */
export interface EscalationHistory {
  /** Milliseconds since 1970. */
  firstSeenAt: number;
  /** Events by hour since 1970, those of the last week before `at`; hours without events are absent. */
  hours: ReadonlyArray<readonly [hour: number, count: number]>;
}

/** Why an issue came back. */
export interface Escalation {
  unit: "hour" | "day";
  /** When that hour or day began; milliseconds since 1970. */
  from: number;
  /** Events since the issue was archived. It includes those that arrived together with the event that brought the issue back. */
  count: number;
  most: number;
}

const WEEK_DAYS = 7;
const FACTORS = [
  { youngerThanMs: DAY_MS, factor: 10 },
  { youngerThanMs: WEEK_DAYS * DAY_MS, factor: 4 },
] as const;
const FACTOR = 2;
const LEAST_PER_HOUR = 10;
const LEAST_PER_DAY = 30;
/** The shortest time over which a rate is measured: two events within a second are not a burst. */
const RATE_MS = 10 * MINUTE_MS;
/** Hours of counts that are kept: of today and of yesterday, for events that arrive late. */
const KEPT_HOURS = 48;

/** The first hour of the last week. */
export function toHistoryStart(at: number): number {
  return (toDay(at) - WEEK_DAYS) * 24;
}

/** The bounds from `at` on: the instant of the archive, or the beginning of a day. `before`: those of an earlier day of the same archive. */
export function computeEscalationBounds(
  { firstSeenAt, hours }: EscalationHistory,
  at: number,
  before: EscalationBounds | null = null,
): EscalationBounds {
  const age = at - firstSeenAt;
  const factor = FACTORS.find(({ youngerThanMs }) => age < youngerThanMs)?.factor ?? FACTOR;
  const ratePerHour = toRate(hours, firstSeenAt, at);
  const busiestHour = Math.max(0, ...hours.map(([, count]) => count));
  const days = sumDays(hours);
  const today = days.get(toDay(at)) ?? 0;
  const hoursLeft = ((toDay(at) + 1) * DAY_MS - at) / HOUR_MS;
  const busiestDay = Math.max(0, ...days.values());
  const todayAtRate = ratePerHour === 0 ? today : Math.ceil(today + ratePerHour * hoursLeft);
  return {
    day: toDay(at),
    perHour: toBound(
      { past: busiestHour, atRate: ratePerHour, factor, least: LEAST_PER_HOUR },
      before?.perHour.ceiling,
    ),
    perDay:
      age < WEEK_DAYS * DAY_MS
        ? null
        : toBound({ past: busiestDay, atRate: todayAtRate, factor, least: LEAST_PER_DAY }, before?.perDay?.ceiling),
  };
}

function toBound(
  { past, atRate, factor, least }: { past: number; atRate: number; factor: number; least: number },
  ceiling?: number,
): EscalationBound {
  const busiest = Math.max(past, atRate);
  const own = Math.max(busiest * factor, least);
  return { most: Math.min(own, ceiling ?? own), busiest, isRate: atRate > past, ceiling: ceiling ?? own };
}

/** The number of events that the current hour will reach at its rate. 0 if it has just begun. */
function toRate(hours: EscalationHistory["hours"], firstSeenAt: number, at: number): number {
  const hour = toHour(at);
  const count = hours.find(([each]) => each === hour)?.[1] ?? 0;
  const elapsed = Math.max(at - Math.max(hour * HOUR_MS, firstSeenAt), RATE_MS);
  return Math.ceil((count * HOUR_MS) / elapsed);
}

function sumDays(hours: EscalationHistory["hours"]): Map<number, number> {
  const days = new Map<number, number>();
  for (const [hour, count] of hours) {
    const day = Math.floor(hour / 24);
    days.set(day, (days.get(day) ?? 0) + count);
  }
  return days;
}

/** Counts the events of an archived issue by hour. */
export class EscalationCount {
  readonly #bounds: EscalationBounds;
  readonly #hours: Map<number, number>;
  readonly #days: Map<number, number>;
  #latestHour = Number.NEGATIVE_INFINITY;
  #end: Omit<Escalation, "count"> | null = null;

  constructor(bounds: EscalationBounds, hours: ReadonlyArray<readonly [hour: number, count: number]>) {
    this.#bounds = bounds;
    this.#hours = new Map(hours);
    this.#days = sumDays(hours);
  }

  /** Counts an event by its own clock, as the history does; one whose clock is ahead by its arrival. True when it brings the issue back. */
  add({ occurredAt, receivedAt }: { occurredAt: number; receivedAt: number }): boolean {
    const hour = toHour(Math.min(occurredAt, receivedAt));
    const now = toHour(receivedAt);
    if (hour <= now - KEPT_HOURS) return false;
    const day = Math.floor(hour / 24);
    const inHour = (this.#hours.get(hour) ?? 0) + 1;
    const inDay = (this.#days.get(day) ?? 0) + 1;
    this.#hours.set(hour, inHour);
    this.#days.set(day, inDay);
    if (now > this.#latestHour) this.#forgetBefore(now);
    if (this.#end !== null) return false;
    const { perHour, perDay } = this.#bounds;
    if (inHour > perHour.most) this.#end = { unit: "hour", from: hour * HOUR_MS, most: perHour.most };
    else if (perDay !== null && inDay > perDay.most) this.#end = { unit: "day", from: day * DAY_MS, most: perDay.most };
    return this.#end !== null;
  }

  get hours(): Array<[hour: number, count: number]> {
    return [...this.#hours];
  }

  /** Null while it has not escalated. */
  get escalation(): Escalation | null {
    if (this.#end === null) return null;
    const { unit, from } = this.#end;
    const count = unit === "hour" ? this.#hours.get(toHour(from)) : this.#days.get(toDay(from));
    return { ...this.#end, count: count ?? 0 };
  }

  /** A clock that was set back leaves hours of the future, which count for nothing. */
  #forgetBefore(now: number): void {
    this.#latestHour = now;
    for (const hour of this.#hours.keys())
      if (hour <= now - KEPT_HOURS || hour > now + KEPT_HOURS) this.#hours.delete(hour);
  }
}
