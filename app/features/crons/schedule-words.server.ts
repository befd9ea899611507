import cronstrue from "cronstrue";
import { MONITOR_DEFAULTS } from "../../domain/monitor.ts";
import { zoneOffset } from "../../domain/monitors/find-zone-mismatch.ts";
import { findScheduleFault, listDue, type Schedule } from "../../domain/monitors/schedule.ts";
import { readSentConfig } from "../../domain/monitors/sent-config.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { sayInZone } from "./cron-words.ts";

/** “At 02:00, Monday through Friday, Berlin”; “every 2 hours”. */
export function sayScheduleInWords(config: Schedule | null): string {
  if (config === null) return "no schedule yet";
  const { schedule } = config;
  if (schedule.type === "interval")
    return schedule.value === 1 ? `every ${schedule.unit}` : `every ${schedule.value} ${schedule.unit}s`;
  const zone = config.timezone ?? MONITOR_DEFAULTS.timezone;
  const place = zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;
  return `${sayCrontab(schedule.value)}, ${place}`;
}

function sayCrontab(pattern: string): string {
  try {
    const words = cronstrue.toString(pattern, { use24HourTimeFormat: true });
    return words.charAt(0).toLowerCase() + words.slice(1);
  } catch {
    // Patterns that it has no words for.
    return pattern;
  }
}

/** A schedule before it is saved. */
export interface SchedulePreview {
  /** What is wrong with it; null: nothing. */
  fault: string | null;
  words: string;
  timezone: string;
  /** The next five due times. */
  due: Array<{ at: number; inZone: string }>;
  /** What the next change of the clocks does to it; null: nothing within a year. */
  clockChange: string | null;
}

export function previewSchedule(config: Schedule, now: number): SchedulePreview {
  const timezone = config.timezone ?? MONITOR_DEFAULTS.timezone;
  const fault = findScheduleFault(config);
  if (fault !== null) return { fault, words: "", timezone, due: [], clockChange: null };
  return {
    fault: null,
    words: sayScheduleInWords(config),
    timezone,
    due: listDue(config, now, 5).map((at) => ({ at, inZone: sayInZone(at, timezone) })),
    clockChange: sayClockChange(config, now),
  };
}

/** The preview for what somebody types: `type`, `crontab` or `value` and `unit`, `timezone`. */
export function previewTyped(params: URLSearchParams, now: number): SchedulePreview {
  const read = readSentConfig(toSentConfig((name) => params.get(name) ?? ""));
  if (!read.ok) return { fault: read.fault, words: "", timezone: "UTC", due: [], clockChange: null };
  return previewSchedule(read.config, now);
}

/** The fields of the form as a `monitor_config`. Numbers that are not given keep the default. */
export function toSentConfig(field: (name: string) => string): Record<string, unknown> {
  const numberOf = (name: string) => (field(name).trim() === "" ? null : Number(field(name)));
  return {
    schedule:
      field("type") === "interval"
        ? { type: "interval", value: Number(field("value")), unit: field("unit") }
        : { type: "crontab", value: field("crontab") },
    timezone: field("timezone").trim() || null,
    checkin_margin: numberOf("margin"),
    max_runtime: numberOf("maxRuntime"),
    failure_issue_threshold: numberOf("failures"),
    recovery_threshold: numberOf("recoveries"),
  };
}

/** What the next change of the clocks of its zone does to a crontab. */
function sayClockChange(config: Schedule, now: number): string | null {
  if (config.schedule.type !== "crontab") return null;
  const zone = config.timezone ?? MONITOR_DEFAULTS.timezone;
  const changeAt = findClockChange(zone, now);
  if (changeAt === null) return null;
  const minutes = zoneOffset(zone, changeAt) - zoneOffset(zone, changeAt - 1);
  const day = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: zone,
  }).format(changeAt);
  return sayFixed(config, { changeAt, minutes, day, zone });
}

function sayFixed(
  config: Schedule,
  { changeAt, minutes, day, zone }: { changeAt: number; minutes: number; day: string; zone: string },
): string | null {
  const clock = (at: number) =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(at);
  // What the clocks would say without the change, in the hour that is skipped or doubled.
  const around = listDue(config, changeAt - 3 * HOUR_MS, 20).filter((at) => at < changeAt + 3 * HOUR_MS);
  const usual = listDue(config, changeAt - DAY_MS - 3 * HOUR_MS, 20).filter(
    (at) => at < changeAt - DAY_MS + 3 * HOUR_MS,
  );
  const touched = usual.filter((at) => {
    const into = at + DAY_MS - changeAt;
    return minutes > 0 ? into >= 0 && into < minutes * 60_000 : into >= minutes * 60_000 && into < 0;
  });
  if (touched.length === 0) return null;
  const [first = 0] = touched;
  if (touched.length > 1 || around.length > usual.length)
    return minutes > 0
      ? `On ${day} the clocks in ${zone} go forward: what is due in the hour that is skipped is not.`
      : `On ${day} the clocks in ${zone} go back: the hour that comes twice has its due times twice.`;
  const moved = around.find((at) => at >= changeAt);
  return minutes > 0
    ? `On ${day} there is no ${clock(first)} in ${zone}: it is due at ${clock(moved ?? changeAt)} that day.`
    : `On ${day} there are two times ${clock(first)} in ${zone}: it is due at the first one.`;
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
