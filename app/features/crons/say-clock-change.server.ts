import { MONITOR_DEFAULTS } from "../../domain/monitor.ts";
import { zoneOffset } from "../../domain/monitors/find-zone-mismatch.ts";
import { nextDue, type Schedule } from "../../domain/monitors/schedule.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";

/** What the next change of the clocks in the zone means for a crontab. Null: nothing, or there is no change within a year. */
export function sayClockChange(config: Schedule, now: number): string | null {
  if (config.schedule.type !== "crontab") return null;
  const zone = config.timezone ?? MONITOR_DEFAULTS.timezone;
  const changeAt = findClockChange(zone, now);
  if (changeAt === null) return null;
  const before = zoneOffset(zone, changeAt - 1) * MINUTE_MS;
  const after = zoneOffset(zone, changeAt) * MINUTE_MS;
  // The hour that the clocks leave out or show twice. These are the due times in it if no clock changed.
  const from = changeAt + Math.min(before, after);
  const wall: Schedule = { ...config, timezone: "UTC" };
  const touched = listBetween(wall, from, from + Math.abs(after - before));
  const [first] = touched;
  if (first === undefined) return null;
  const day = format(changeAt, zone, { day: "numeric", month: "long", year: "numeric" });
  const time = sayTime(first, "UTC");
  if (after > before) {
    const next = nextDue(config, changeAt - 1) ?? changeAt;
    const isOfItself = nextDue(wall, next + after - 1) === next + after;
    if (isOfItself)
      return `On ${day} the clocks in ${zone} go forward: what is due in the hour that is skipped is not.`;
    return touched.length === 1
      ? `On ${day} there is no ${time} in ${zone}: it is due at ${sayTime(next, zone)} that day.`
      : `On ${day} the clocks in ${zone} go forward: what is due in the hour that is skipped is due at ${sayTime(next, zone)}.`;
  }
  const width = before - after;
  const due = listBetween(config, changeAt - width, changeAt + width);
  if (due.length > touched.length)
    return `On ${day} the clocks in ${zone} go back: the hour that comes twice has its due times twice.`;
  return touched.length === 1
    ? `On ${day} there are two times ${time} in ${zone}: it is due at the first one.`
    : `On ${day} the clocks in ${zone} go back: what is due in the hour that comes twice is due once.`;
}

function listBetween(schedule: Schedule, from: number, to: number): number[] {
  const due: number[] = [];
  for (let at = nextDue(schedule, from - 1); at !== null && at < to; at = nextDue(schedule, at)) due.push(at);
  return due;
}

function sayTime(at: number, timeZone: string): string {
  return format(at, timeZone, { hour: "2-digit", minute: "2-digit" });
}

function format(at: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(at);
}

/** The first change of the clocks within a year. */
function findClockChange(zone: string, now: number): number | null {
  const before = zoneOffset(zone, now);
  for (let at = now; at < now + 366 * DAY_MS; at += 7 * DAY_MS) {
    if (zoneOffset(zone, at + 7 * DAY_MS) === before) continue;
    let [low, high] = [at, at + 7 * DAY_MS];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (zoneOffset(zone, middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }
  return null;
}
