import { isRecord } from "../../domain/is-record.ts";
import {
  type CheckIn,
  type CheckInStatus,
  MONITOR_LIMITS,
  MONITOR_UNITS,
  type MonitorConfig,
} from "../../domain/monitor.ts";
import { toSlug } from "../../domain/monitors/monitor-slug.ts";
import { findScheduleFault } from "../../domain/monitors/schedule.ts";
import { MetaRecorder } from "../../normalize/meta.ts";
import { normalizeEnvironment, normalizeRelease } from "../../normalize/release-environment.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";

// Numbers are those of protocol 10.
const MAX_MINUTES = MONITOR_LIMITS.minutes;
const MAX_THRESHOLD = MONITOR_LIMITS.threshold;
const MAX_SCHEDULE_LENGTH = MONITOR_LIMITS.scheduleChars;
const MAX_TIMEZONE_LENGTH = MONITOR_LIMITS.timezoneChars;
/** A year: a job that runs longer has another unit of time in mind. */
const MAX_DURATION_SECONDS = 366 * 86_400;
const DEFAULT_ENVIRONMENT = "production";

/** The monitor that a check-in is for; empty when it names none. Letters of every script stay as they are. */
export function toMonitorSlug(value: unknown): string {
  if (typeof value !== "string") return "";
  return toSlug(value);
}

/** Null when the value names no monitor. Never throws. */
export function readCheckIn(value: unknown): CheckIn | null {
  if (!isRecord(value)) return null;
  const {
    monitor_slug,
    environment,
    status,
    monitor_config,
    check_in_id,
    duration,
    release,
    contexts,
    exit_status,
    output,
  } = value;
  const slug = toMonitorSlug(monitor_slug);
  if (slug === "") return null;
  const trace = isRecord(contexts) ? contexts.trace : undefined;
  return {
    slug,
    environment: normalizeEnvironment(environment, new MetaRecorder()) ?? DEFAULT_ENVIRONMENT,
    status: toStatus(status),
    config: readConfig(monitor_config),
    checkInId: normalizeEventId(check_in_id),
    durationMs: readDuration(duration),
    release: normalizeRelease(release, new MetaRecorder()) ?? null,
    traceId: normalizeEventId(isRecord(trace) ? trace.trace_id : undefined),
    exitStatus: Number.isInteger(exit_status) && Math.abs(Number(exit_status)) < 2 ** 31 ? Number(exit_status) : null,
    output: readOutput(output),
  };
}

/** `missed` and `timeout` are what servers say. */
function toStatus(status: unknown): CheckInStatus {
  return status === "in_progress" || status === "ok" || status === "error" ? status : "unknown";
}

/** Null also for one that is not valid: then the one that is known stays. */
function readConfig(config: unknown): MonitorConfig | null {
  if (!isRecord(config)) return null;
  const schedule = readSchedule(config.schedule);
  const checkinMargin = readNumber(config.checkin_margin, 0, MAX_MINUTES);
  const maxRuntime = readNumber(config.max_runtime, 0, MAX_MINUTES);
  const failureIssueThreshold = readNumber(config.failure_issue_threshold, 1, MAX_THRESHOLD);
  const recoveryThreshold = readNumber(config.recovery_threshold, 1, MAX_THRESHOLD);
  const numbers = [checkinMargin, maxRuntime, failureIssueThreshold, recoveryThreshold];
  if (schedule === null || numbers.some(Number.isNaN)) return null;
  const timezone =
    typeof config.timezone === "string" ? config.timezone.trim().slice(0, MAX_TIMEZONE_LENGTH).toWellFormed() : "";
  if (findScheduleFault({ schedule, timezone: timezone || null }) !== null) return null;
  const owner = typeof config.owner === "string" && /^(user|team):\d{1,15}$/.test(config.owner) ? config.owner : null;
  return {
    schedule,
    checkinMargin,
    maxRuntime,
    timezone: timezone || null,
    failureIssueThreshold,
    recoveryThreshold,
    ...(owner === null ? {} : { owner }),
  };
}

/** Of `node-cron`, `cron`, NestJS, Spring and others: a field of seconds comes before those of a crontab. */
const SECONDS = /^[\d*,/-]+\s+(?=(?:\S+\s+){4}\S+$)/;

function readSchedule(value: unknown): MonitorConfig["schedule"] | null {
  if (!isRecord(value)) return null;
  const { type, value: rule, unit } = value;
  if (type === "crontab" && typeof rule === "string") {
    const text = rule.trim().replace(SECONDS, "");
    return text !== "" && text.length <= MAX_SCHEDULE_LENGTH ? { type, value: text } : null;
  }
  const known = MONITOR_UNITS.find((each) => each === unit);
  if (type !== "interval" || known === undefined || !Number.isSafeInteger(rule) || Number(rule) < 1) return null;
  return { type, value: Number(rule), unit: known };
}

/** Null: not said. NaN: it may not be that. */
function readNumber(value: unknown, min: number, max: number): number | null {
  if (value === undefined || value === null) return null;
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : Number.NaN;
}

/** Milliseconds, of the seconds that were sent. Null: not said, or no length of time. */
function readDuration(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= MAX_DURATION_SECONDS ? Math.round(value * 1000) : null;
}

/** The end of it: what went wrong is said last. */
function readOutput(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const bytes = Buffer.from(value.replaceAll("\0", "").trimEnd());
  if (bytes.length === 0) return null;
  if (bytes.length <= MONITOR_LIMITS.outputBytes) return bytes.toString();
  // The cut may leave half a character, which is removed.
  return bytes
    .subarray(-MONITOR_LIMITS.outputBytes)
    .toString()
    .replace(/^\uFFFD+/, "");
}
