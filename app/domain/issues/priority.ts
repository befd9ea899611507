import type { Level } from "../level.ts";
import { DAY_MS } from "../time.ts";

/** The urgency of an issue, the highest first. */
export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export function isPriority(word: unknown): word is Priority {
  return PRIORITIES.some((priority) => priority === word);
}

/** Events a day, on average since the first one: an issue that comes as often is one step more urgent. */
const OFTEN_A_DAY = 100;

/** The facts that decide. Instants are milliseconds since 1970. */
export interface PriorityFacts {
  level: Level;
  eventCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
}

/**
 * The priority of an issue for which nobody has set one. Fatal errors are high, errors medium, warnings low. Errors and warnings that
 * come often are one step higher. All other levels are low. It does not depend on the clock, so lists can be sorted by it.
 */
export function computePriority(facts: PriorityFacts): Priority {
  switch (facts.level) {
    case "fatal":
      return "high";
    case "error":
      return isOften(facts) ? "high" : "medium";
    case "warning":
      return isOften(facts) ? "medium" : "low";
    default:
      return "low";
  }
}

const KINDS: Record<Level, string> = {
  fatal: "a fatal error",
  error: "an error",
  warning: "a warning",
  info: "information",
  debug: "a debug message",
};

/** Why `computePriority` says so, in a sentence. */
export function explainPriority(facts: PriorityFacts): string {
  const kind = KINDS[facts.level];
  if (facts.level === "fatal") return `It is ${kind}, which is always high.`;
  if (facts.level !== "error" && facts.level !== "warning") return `It is ${kind}, which is always low.`;
  const perDay = Math.round((facts.eventCount * DAY_MS) / toLifetime(facts));
  return isOften(facts)
    ? `It is ${kind} and comes often: about ${perDay.toLocaleString("en")} times a day since it was first seen.`
    : `It is ${kind} and comes fewer than ${OFTEN_A_DAY} times a day.`;
}

function isOften(facts: PriorityFacts): boolean {
  return facts.eventCount * DAY_MS >= OFTEN_A_DAY * toLifetime(facts);
}

/** The time in which an issue had events. It is at least a day: two events within a second do not mean that an issue comes often. */
function toLifetime({ firstSeenAt, lastSeenAt }: PriorityFacts): number {
  return Math.max(DAY_MS, lastSeenAt - firstSeenAt);
}
