import { DAY_MS, HOUR_MS } from "../time.ts";

/** Choices of one press, in the order of the menus. */
export const SNOOZE_CHOICES = [
  { name: "1h", label: "For 1 hour", ms: HOUR_MS },
  { name: "1d", label: "For 1 day", ms: DAY_MS },
  { name: "7d", label: "For 1 week", ms: 7 * DAY_MS },
] as const;

/** A year. */
const MAX_SNOOZE_MS = 366 * DAY_MS;

/** Names of the fields in which a form says until when. */
export const SNOOZE_FIELDS = ["snoozeUntil", "snoozeUntilLocal"] as const;

/** Says why a requested instant is refused. Null: it is accepted. */
export function findSnoozeProblem(until: number, now: number): string | null {
  if (Number.isNaN(until)) return "Choose a day and a time.";
  if (!(until > now)) return "Must be in the future.";
  return until > now + MAX_SNOOZE_MS ? "Must be within a year." : null;
}
