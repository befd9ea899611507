import { API_SCOPES, type ApiScope } from "../api-token.ts";
import { type Access, findPaths } from "../people/access.ts";
import { narrowRights } from "../people/roles.ts";
import { DAY_MS } from "../time.ts";
import type { AlertRule } from "./alert-rule.ts";

/** The time that a report looks back. */
export const NOISE_MS = 7 * DAY_MS;
/** A message about an issue that nobody has touched by then was not needed. */
export const ACTING_MS = DAY_MS;
/** Rules that a report names, those that fired most. */
export const MAX_NOISY = 10;

/** How often a rule fired, and what people did about it. */
export interface RuleNoise {
  fired: number;
  /** Receivers that were told, those of steps included. */
  messages: number;
  /** Times after which somebody acknowledged the issue within `ACTING_MS`. */
  acknowledged: number;
  /** Times after which somebody did anything with the issue within `ACTING_MS`, an acknowledgement included. */
  acted: number;
  /** Times after which nobody did. */
  leftAlone: number;
  /** Times after which nobody did so far, and that are more recent than `ACTING_MS`. */
  undecided: number;
}

/** A higher line that suits a rule better. */
export interface SuggestedLine {
  line: number;
  times: number;
  /** How often the rule would have fired at its present line. */
  ownTimes: number;
}

/** A rule that fires often. */
export interface NoisyRule {
  rule: AlertRule;
  noise: RuleNoise;
  /** Null: none is known. */
  suggested: SuggestedLine | null;
}

/** Whether a member may change a rule. `mayManageRule` answers this for the reader; this is for other members. */
export function mayChangeRule(access: Access, { projectIds }: Pick<AlertRule, "projectIds">): boolean {
  const hasRight = (right: ApiScope) => narrowRights(access.role, [right], API_SCOPES).includes(right);
  if (projectIds === null) return hasRight("org:write");
  return hasRight("project:write") && projectIds.every((id) => findPaths(access, id).length > 0);
}

/** `Fired 61 times, 120 messages. Nobody did anything within a day after 50 of them.` */
export function sayNoise({ fired, messages, acknowledged, acted, leftAlone, undecided }: RuleNoise): string {
  const number = (count: number) => count.toLocaleString("en");
  const answered = acted === 0 ? "nobody" : number(acted);
  const parts = [
    `Fired ${number(fired)} ${fired === 1 ? "time" : "times"}, ${number(messages)} ${messages === 1 ? "message" : "messages"}.`,
    acted === 0
      ? "Nobody did anything with its issues within a day."
      : `Within a day, somebody did something with the issue after ${answered} of them${acknowledged > 0 ? ` (${number(acknowledged)} acknowledged)` : ""}.`,
    leftAlone > 0 && acted > 0 && `${number(leftAlone)} were left alone.`,
    undecided > 0 && `${number(undecided)} are of the last day and undecided.`,
  ];
  return parts.filter(Boolean).join(" ");
}

/** `At 40 instead of 20 it would have fired 3 times instead of 61.` */
export function saySuggestedLine(
  { line, times, ownTimes }: SuggestedLine,
  { own, acted }: { own: number; acted: number },
): string {
  const number = (count: number) => count.toLocaleString("en");
  const all = acted === 0 ? "" : ", and for each issue that somebody dealt with";
  return `At ${number(line)} instead of ${number(own)} it would have fired ${number(times)} ${times === 1 ? "time" : "times"} instead of ${number(ownTimes)}${all}.`;
}
