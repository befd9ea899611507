import { MetaRecorder } from "../../digest/normalize/meta.ts";
import { normalizeEnvironment } from "../../digest/normalize/release-environment.ts";
import { type CheckIn, type CheckInStatus, MONITOR_UNITS, type MonitorConfig } from "../../domain/monitor.ts";

// Numbers are those of protocol 10.
const MAX_SLUG_LENGTH = 50;
const MAX_MINUTES = 40_320;
const MAX_THRESHOLD = 720;
const MAX_SCHEDULE_LENGTH = 200;
const MAX_TIMEZONE_LENGTH = 64;
const DEFAULT_ENVIRONMENT = "production";

/** The monitor that a check-in is for; empty when it names none. Letters of every script stay as they are. */
export function toMonitorSlug(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .trim()
    .slice(0, MAX_SLUG_LENGTH)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** Null for what names no monitor. Never throws. */
export function readCheckIn(value: unknown): CheckIn | null {
  if (typeof value !== "object" || value === null) return null;
  const { monitor_slug, environment, status, monitor_config } = value as Record<string, unknown>;
  const slug = toMonitorSlug(monitor_slug);
  if (slug === "") return null;
  return {
    slug,
    environment: normalizeEnvironment(environment, new MetaRecorder()) ?? DEFAULT_ENVIRONMENT,
    status: toStatus(status),
    config: readConfig(monitor_config),
  };
}

/** `missed` and `timeout` are what servers say. */
function toStatus(status: unknown): CheckInStatus {
  return status === "in_progress" || status === "ok" || status === "error" ? status : "unknown";
}

/** Null also for one that is not valid: then the one that is known stays. */
function readConfig(value: unknown): MonitorConfig | null {
  if (typeof value !== "object" || value === null) return null;
  const config = value as Record<string, unknown>;
  const schedule = readSchedule(config.schedule);
  const checkinMargin = readNumber(config.checkin_margin, 0, MAX_MINUTES);
  const maxRuntime = readNumber(config.max_runtime, 0, MAX_MINUTES);
  const failureIssueThreshold = readNumber(config.failure_issue_threshold, 1, MAX_THRESHOLD);
  const recoveryThreshold = readNumber(config.recovery_threshold, 1, MAX_THRESHOLD);
  const numbers = [checkinMargin, maxRuntime, failureIssueThreshold, recoveryThreshold];
  if (schedule === null || numbers.some(Number.isNaN)) return null;
  const timezone =
    typeof config.timezone === "string" ? config.timezone.trim().slice(0, MAX_TIMEZONE_LENGTH).toWellFormed() : "";
  return {
    schedule,
    checkinMargin,
    maxRuntime,
    timezone: timezone || null,
    failureIssueThreshold,
    recoveryThreshold,
  };
}

function readSchedule(value: unknown): MonitorConfig["schedule"] | null {
  if (typeof value !== "object" || value === null) return null;
  const { type, value: rule, unit } = value as Record<string, unknown>;
  if (type === "crontab" && typeof rule === "string") {
    const text = rule.trim();
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
