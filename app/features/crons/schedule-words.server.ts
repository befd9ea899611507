import cronstrue from "cronstrue";
import { MONITOR_DEFAULTS } from "../../domain/monitor.ts";
import { findScheduleFault, listDue, type Schedule } from "../../domain/monitors/schedule.ts";
import { readSentConfig } from "../../domain/monitors/sent-config.ts";
import { sayInZone } from "./cron-words.ts";
import { sayClockChange } from "./say-clock-change.server.ts";

/** The number of due times in a preview. */
const DUE_TIMES = 5;

/** A schedule in words: “At 02:00, Monday through Friday, Berlin”; “every 2 hours”. */
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
    // The library has no words for some patterns.
    return pattern;
  }
}

/** What a schedule means, before it is saved. */
export interface SchedulePreview {
  /** What is wrong with the schedule. Null: nothing. */
  fault: string | null;
  words: string;
  timezone: string;
  /** The next five due times. */
  due: Array<{ at: number; inZone: string }>;
  /** What the next change of the clocks means for it. Null: nothing within a year. */
  clockChange: string | null;
}

/** `nextDueAt`: for a monitor that has runs. An interval counts from its last run, and not from now. */
export function previewSchedule(config: Schedule, now: number, nextDueAt: number | null = null): SchedulePreview {
  const timezone = config.timezone ?? MONITOR_DEFAULTS.timezone;
  const fault = findScheduleFault(config);
  if (fault !== null) return { fault, words: "", timezone, due: [], clockChange: null };
  return {
    fault: null,
    words: sayScheduleInWords(config),
    timezone,
    due: listNextDue(config, now, nextDueAt).map((at) => ({ at, inZone: sayInZone(at, timezone) })),
    clockChange: sayClockChange(config, now),
  };
}

function listNextDue(config: Schedule, now: number, nextDueAt: number | null): number[] {
  if (config.schedule.type !== "interval" || nextDueAt === null || nextDueAt <= now)
    return listDue(config, now, DUE_TIMES);
  return [nextDueAt, ...listDue(config, nextDueAt, DUE_TIMES - 1)];
}

/** The preview for the fields that somebody types: `type`, `crontab` or `value` and `unit`, `timezone`. */
export function previewTyped(params: URLSearchParams, now: number): SchedulePreview {
  const read = readSentConfig(toSentConfig((name) => params.get(name) ?? ""));
  if (!read.ok) return { fault: read.fault, words: "", timezone: "UTC", due: [], clockChange: null };
  return previewSchedule(read.config, now);
}

/** The fields of the form as a `monitor_config`. A number that is not given keeps its default. */
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
