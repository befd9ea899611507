import { nextDue, previousDue, type Schedule } from "../monitors/schedule.ts";
import { MINUTE_MS } from "../time.ts";

/** When a person wants no mail about issues. */
export interface QuietHours {
  /** The time of day at which they begin and end, in minutes after midnight. An end that is not later is one of the next day. */
  from: number;
  to: number;
  /** Days on which they begin: 1 is Monday, 7 Sunday. Each once, in order. */
  days: readonly number[];
  timezone: string;
  /** Whether mail about issues of high priority is sent nevertheless. */
  letsHighThrough: boolean;
}

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** Whether the quiet hours cover every minute. Whole days in a row are one period, so seven whole days never end. */
export function endsNever({ from, to, days }: Pick<QuietHours, "from" | "to" | "days">): boolean {
  return from === to && days.length === WEEKDAYS.length;
}

/** Computed schedules that are kept: computing one takes 0.2 ms, longer than to look at the clock. */
const MAX_KEPT = 2_000;
const kept = new Map<string, number | null>();

/**
 * The end of the quiet hours at an instant. Null: the instant is not in quiet hours. A time that a clock change skips is the
 * instant of the change, and for a time that comes twice it is the first one, as with crons.
 */
export function findQuietEnd(hours: QuietHours, at: number): number | null {
  // Quiet hours begin and end on full minutes.
  const minute = Math.floor(at / MINUTE_MS);
  const { from, to, days, timezone } = hours;
  const key = `${minute} ${from} ${to} ${days.join()} ${timezone}`;
  let end = kept.get(key);
  if (end === undefined) {
    end = computeEnd(hours, minute * MINUTE_MS);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, end);
  }
  return end;
}

function computeEnd(hours: QuietHours, at: number): number | null {
  const begin = toSchedule(hours.from, hours.days, hours.timezone);
  const finish = toSchedule(hours.to, WEEKDAYS, hours.timezone);
  let end: number | null = null;
  // Whole days: the next one begins where this one ends.
  for (const _ of WEEKDAYS) {
    const start = previousDue(begin, end ?? at);
    if (start === null) return end;
    // If a clock change skips both, they begin and end at the same instant.
    const next = nextDue(finish, hours.from < hours.to ? start - 1 : start);
    if (next === null || next <= (end ?? at)) return end;
    end = next;
  }
  return end;
}

function toSchedule(minutes: number, days: readonly number[], timezone: string): Schedule {
  const value = `${minutes % 60} ${Math.floor(minutes / 60)} * * ${days.join(",")}`;
  return { schedule: { type: "crontab", value }, timezone };
}

/** `07:00`. */
export function toTimeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Minutes after midnight. Null: the text is not a time of day. */
export function parseTimeOfDay(text: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
