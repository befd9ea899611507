import { Cron } from "croner";
import { MONITOR_DEFAULTS, type MonitorConfig, type MonitorSchedule, type MonitorUnit } from "../monitor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";

export type Schedule = Pick<MonitorConfig, "schedule" | "timezone">;

/** Reading a pattern takes 0.1 ms. */
const MAX_KEPT = 2_000;
const kept = new Map<string, Cron>();

const NICKNAMES = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;

/**
 * The first due time after the instant; null: there is none, as on 31 February. Crontabs are read in their zone: an hour that a clock change
 * skips is due when the clock has gone on, and a time that comes twice is due the first time. Intervals count from the instant; their months and years are
 * those of UTC.
 *
 * @throws {Error} for a schedule that `findScheduleFault` refuses
 */
export function nextDue({ schedule, timezone }: Schedule, after: number): number | null {
  if (schedule.type === "interval") return addInterval(after, schedule);
  return toCron(schedule.value, timezone).nextRun(new Date(after))?.getTime() ?? null;
}

/** The due times after the instant, at most `count`. */
export function listDue(schedule: Schedule, after: number, count: number): number[] {
  const due: number[] = [];
  for (let at: number | null = after; due.length < count; ) {
    at = nextDue(schedule, at);
    if (at === null) break;
    due.push(at);
  }
  return due;
}

/** The last due time at or before the instant. Null: there is none, or the schedule is an interval. */
export function previousDue({ schedule, timezone }: Schedule, at: number): number | null {
  if (schedule.type === "interval") return null;
  return (
    toCron(schedule.value, timezone)
      .previousRuns(1, new Date(at + 1))[0]
      ?.getTime() ?? null
  );
}

/** Says what is wrong with a schedule or its time zone. Null: nothing is. */
export function findScheduleFault(schedule: Schedule): string | null {
  const key = JSON.stringify([schedule.schedule, schedule.timezone]);
  let fault = faults.get(key);
  if (fault === undefined) {
    fault = findFault(schedule);
    if (faults.size >= MAX_KEPT) faults.clear();
    faults.set(key, fault);
  }
  return fault;
}

/** SDKs send the schedule with every check-in. */
const faults = new Map<string, string | null>();

function findFault({ schedule, timezone }: Schedule): string | null {
  if (timezone !== null && !isTimezone(timezone))
    return `There is no time zone “${timezone}”. Use a name like Europe/Berlin.`;
  if (schedule.type === "interval") return null;
  const text = schedule.value;
  if (/^@reboot$/i.test(text)) return "@reboot has no due times: use an interval.";
  if (text.startsWith("@") && !NICKNAMES.test(text))
    return `“${text}” is no schedule. Known names are @hourly, @daily, @weekly, @monthly and @yearly.`;
  const parts = text.split(/\s+/).length;
  if (!text.startsWith("@") && parts !== 5)
    return `A crontab has five fields: minute, hour, day of month, month, day of week. “${text}” has ${parts}.`;
  if (text.includes("?")) return `“${text}” has a question mark, which crontabs do not have. Use * instead.`;
  try {
    return toCron(text, timezone).nextRun(new Date(0)) === null
      ? `“${text}” is never due: there is no such day.`
      : null;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
    return `“${text}” is no crontab: ${why}`;
  }
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name !== "";
  } catch {
    return false;
  }
}

function toCron(pattern: string, timezone: string | null): Cron {
  const zone = timezone ?? MONITOR_DEFAULTS.timezone;
  const key = `${zone} ${pattern}`;
  let cron = kept.get(key);
  if (cron === undefined) {
    // Works like Debian's cron. When clocks go back, only a schedule with `*` or a step runs in both of the equal hours. Croner
    // alone would run `0 1,13 * * *` twice.
    cron = new Cron(pattern, { timezone: zone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, cron);
  }
  return cron;
}

const UNIT_MS: Partial<Record<MonitorUnit, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

function addInterval(after: number, { value, unit }: Extract<MonitorSchedule, { type: "interval" }>): number | null {
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return toInstant(after + value * unitMs);
  const date = new Date(after);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + (unit === "year" ? 12 : 1) * value);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return toInstant(date.getTime());
}

/** Intervals of a million years end in no date. */
function toInstant(at: number): number | null {
  return Number.isFinite(at) && at < 8.64e15 ? at : null;
}
