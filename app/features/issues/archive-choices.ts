import { DAY_MS, HOUR_MS } from "../../domain/time.ts";

/** The choices that take one click, in the order of the menus. */
export const ARCHIVE_CHOICES = [
  { name: "1h", label: "For 1 hour", ms: HOUR_MS },
  { name: "1d", label: "For 1 day", ms: DAY_MS },
  { name: "7d", label: "For 7 days", ms: 7 * DAY_MS },
  { name: "30d", label: "For 30 days", ms: 30 * DAY_MS },
] as const;

/** The choice above these in the menus: the issue comes back when it has far more events than in its own past. */
export const ESCALATION_CHOICE = {
  label: "Until it escalates",
  hint: "Back when it has far more events",
} as const;

/** The form fields that say what brings archived issues back. */
export const ARCHIVE_RULE_FIELDS = ["until", "untilLocal", "by", "count", "window"] as const;
