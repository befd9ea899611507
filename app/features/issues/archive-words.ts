import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";

/** Choices of one press, in the order of the menus. */
export const ARCHIVE_CHOICES = [
  { name: "1h", label: "For 1 hour", ms: HOUR_MS },
  { name: "1d", label: "For 1 day", ms: DAY_MS },
  { name: "7d", label: "For 7 days", ms: 7 * DAY_MS },
  { name: "30d", label: "For 30 days", ms: 30 * DAY_MS },
] as const;

/** Names of the fields in which a form says what brings archived issues back. */
export const ARCHIVE_RULE_FIELDS = ["until", "untilLocal", "by", "count", "window"] as const;

/** Windows in which events or users are counted. */
export const ARCHIVE_WINDOWS = [
  { minutes: 60, label: "within an hour" },
  { minutes: 24 * 60, label: "within a day" },
  { minutes: 7 * 24 * 60, label: "within a week" },
] as const;

/** After “Archived”: `until 2026-11-30 12:00 UTC`, `until 100 more events`, `until 10 users within an hour`. */
export function sayArchiveRule(rule: ArchiveRule): string {
  return rule.kind === "until" ? `until ${sayInstant(rule.until)}` : `until ${sayCount(rule)}`;
}

/** Why an issue came back by its rule, without a full stop. */
export function sayArchiveEnd(rule: ArchiveRule): string {
  if (rule.kind === "until") return `it was archived until ${sayInstant(rule.until)}`;
  return `${sayCount(rule)}${rule.windowMinutes === null ? " since it was archived" : ""}`;
}

/** `100 more events`, `10 users within an hour`. */
function sayCount({ kind, count, windowMinutes }: Exclude<ArchiveRule, { kind: "until" }>): string {
  const noun = count === 1 ? kind.slice(0, -1) : kind;
  const number = count.toLocaleString("en");
  return windowMinutes === null ? `${number} more ${noun}` : `${number} ${noun} ${sayWindow(windowMinutes)}`;
}

function sayWindow(minutes: number): string {
  const known = ARCHIVE_WINDOWS.find((window) => window.minutes === minutes);
  if (known) return known.label;
  if (minutes % (24 * 60) === 0) return `within ${minutes / (24 * 60)} days`;
  if (minutes % 60 === 0) return `within ${minutes / 60} hours`;
  return minutes === 1 ? "within a minute" : `within ${minutes} minutes`;
}

function sayInstant(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
