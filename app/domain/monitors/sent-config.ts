import { isRecord } from "../is-record.ts";
import { MONITOR_LIMITS, MONITOR_UNITS, type MonitorConfig, type MonitorSchedule } from "../monitor.ts";
import { findScheduleFault } from "./schedule.ts";

const FIELDS = [
  "schedule",
  "checkin_margin",
  "max_runtime",
  "timezone",
  "failure_issue_threshold",
  "recovery_threshold",
  "owner",
];

type Read = { ok: true; config: MonitorConfig } | { ok: false; fault: string };

/** Says what is wrong with a `monitor_config`, and names the field. Null: nothing is. */
export function findConfigFault(value: unknown): string | null {
  const read = readSentConfig(value);
  return read.ok ? null : read.fault;
}

/** Reads a `monitor_config` for people, who wait for the answer: unknown fields are refused. SDKs get `readCheckIn`. */
export function readSentConfig(value: unknown): Read {
  if (!isRecord(value)) return refuse("monitor_config is no object.");
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return refuse(`Unknown field “${unknown}”: known are ${FIELDS.join(", ")}.`);
  const schedule = readSchedule(value.schedule);
  if (typeof schedule === "string") return refuse(schedule);
  const { timezone = null, owner = null } = value;
  if (timezone !== null && (typeof timezone !== "string" || timezone.length > MONITOR_LIMITS.timezoneChars))
    return refuse("timezone is no name of a time zone, like Europe/Berlin.");
  if (owner !== null && !/^(user|team):\d{1,15}$/.test(String(owner)))
    return refuse("owner is neither user: nor team: and an id.");
  const fault = findScheduleFault({ schedule, timezone: timezone || null });
  if (fault !== null) return refuse(fault);
  const { minutes, threshold } = MONITOR_LIMITS;
  const numbers: Array<[string, number, number]> = [
    ["checkin_margin", 0, minutes],
    ["max_runtime", 0, minutes],
    ["failure_issue_threshold", 1, threshold],
    ["recovery_threshold", 1, threshold],
  ];
  for (const [name, min, max] of numbers) {
    const number = value[name] ?? null;
    if (number !== null && (!Number.isInteger(number) || Number(number) < min || Number(number) > max))
      return refuse(`${name} is a whole number from ${min} to ${max.toLocaleString("en")}.`);
  }
  const numberOf = (name: string) => (value[name] ?? null) as number | null;
  return {
    ok: true,
    config: {
      schedule,
      checkinMargin: numberOf("checkin_margin"),
      maxRuntime: numberOf("max_runtime"),
      timezone: timezone || null,
      failureIssueThreshold: numberOf("failure_issue_threshold"),
      recoveryThreshold: numberOf("recovery_threshold"),
      ...(owner === null ? {} : { owner: String(owner) }),
    },
  };
}

function readSchedule(value: unknown): MonitorSchedule | string {
  if (!isRecord(value)) return "schedule is missing.";
  const { type, value: rule, unit } = value;
  if (type === "crontab") {
    if (typeof rule !== "string" || rule.trim() === "" || rule.length > MONITOR_LIMITS.scheduleChars)
      return `schedule is a crontab of at most ${MONITOR_LIMITS.scheduleChars} characters, like “0 2 * * *”.`;
    return { type, value: rule.trim() };
  }
  if (type !== "interval") return "The type of a schedule is crontab or interval.";
  const known = MONITOR_UNITS.find((each) => each === unit);
  if (known === undefined) return `The unit of an interval is one of ${MONITOR_UNITS.join(", ")}.`;
  if (!Number.isSafeInteger(rule) || Number(rule) < 1 || Number(rule) > 1_000_000)
    return "The value of an interval is a whole number from 1 to 1,000,000.";
  return { type, value: Number(rule), unit: known };
}

function refuse(fault: string): Read {
  return { ok: false, fault };
}
