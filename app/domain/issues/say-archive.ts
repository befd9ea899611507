import type { ArchiveCountRule, ArchiveRule } from "./archive-rule.ts";
import type { Escalation, EscalationBound, EscalationBounds } from "./escalation.ts";

/** Windows in which events or users are counted. */
export const ARCHIVE_WINDOWS = [
  { minutes: 60, label: "within an hour" },
  { minutes: 24 * 60, label: "within a day" },
  { minutes: 7 * 24 * 60, label: "within a week" },
] as const;

/** Words after “Archived”: `until it escalates`, `until 2026-11-30 12:00 UTC`, `until 100 more events`, `until 10 users within an hour`. */
export function sayArchiveRule(rule: ArchiveRule, issues = 1): string {
  if (rule.kind === "escalates") return issues === 1 ? "until it escalates" : "until they escalate";
  return rule.kind === "until" ? `until ${sayInstant(rule.until)}` : `until ${sayCount(rule)}`;
}

/** Why an issue came back by its rule, without a full stop. `escalation`: where the rule is that it escalates. */
export function sayArchiveEnd(rule: ArchiveRule, escalation: Escalation | null = null): string {
  if (rule.kind === "escalates") return escalation === null ? "it escalated" : sayEscalation(escalation);
  if (rule.kind === "until") return `it was archived until ${sayInstant(rule.until)}`;
  return `${sayCount(rule)}${rule.windowMinutes === null ? " since it was archived" : ""}`;
}

/** `63 events in the hour from 2026-11-24 14:00 UTC; the bound was 40`. */
function sayEscalation({ unit, from, count, most }: Escalation): string {
  const when = unit === "hour" ? `the hour from ${sayInstant(from)}` : `the day ${sayInstant(from).slice(0, 10)} (UTC)`;
  return `${sayEvents(count)} in ${when}; the bound was ${most.toLocaleString("en")}`;
}

/** What would bring the issue back now, as sentences. */
export function sayEscalationBounds({ perHour, perDay }: EscalationBounds): string {
  const hour = `It comes back when an hour has more than ${sayEvents(perHour.most)}: ${sayPast(perHour, "hour")}.`;
  if (perDay === null) return `${hour} The issue is younger than a week, so that days do not count yet.`;
  return `${hour} Or when a day (UTC) has more than ${perDay.most.toLocaleString("en")}: ${sayPast(perDay, "day")}.`;
}

function sayPast({ busiest, isRate }: EscalationBound, unit: "hour" | "day"): string {
  const count = busiest === 0 ? "no event" : sayEvents(busiest);
  return isRate
    ? `at its rate when it was archived, the ${unit} comes to ${count}`
    : `its busiest ${unit} of the last week had ${count}`;
}

function sayEvents(count: number): string {
  return count === 1 ? "1 event" : `${count.toLocaleString("en")} events`;
}

/** `100 more events`, `10 users within an hour`. */
function sayCount({ kind, count, windowMinutes }: ArchiveCountRule): string {
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
