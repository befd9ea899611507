import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import {
  type AlertAction,
  type AlertRuleDraft,
  type AlertTrigger,
  isCountTrigger,
  toActionWord,
} from "./alert-rule.ts";

/** A part of the sentence. `field` is the id of the form field that changes it. Absent: the part only joins others. */
export interface SaidPart {
  text: string;
  field?: string;
}

/** The names of the people, teams and channels whose ids a rule has. */
export interface RuleNames {
  /** Slug by id. */
  project(id: number): string | null;
  /** `#slug` for a team, `the member on call in #slug` for its rota, a name for a person or a channel. Null: it is gone. */
  receiver(action: Extract<AlertAction, { id: number }>): string | null;
}

const CHANGES: Record<Exclude<AlertTrigger["kind"], "events" | "users">, string> = {
  new: "is new",
  regressed: "comes back after it was resolved",
  unarchived: "comes back from the archive",
  escalating: "escalates",
  resolved: "is resolved",
  "high-priority": "becomes high in priority",
};

/** The ids of the form's parts, which the parts of the sentence link to. */
export const FIELD_IDS = {
  projects: "rule-projects",
  frequency: "rule-frequency",
  match: "rule-match",
  conditions: "rule-conditions",
  trigger: ({ kind }: AlertTrigger) => `rule-trigger-${kind}`,
  action: (action: AlertAction) => `rule-action-${toActionWord(action)}`,
  /** The id of a step's part, by the step's index from 0. */
  step: (index: number) => `rule-step-${index}`,
} as const;

/** The rule as a sentence in parts, followed by a sentence on its steps. */
export function sayRule(rule: AlertRuleDraft, names: RuleNames): SaidPart[] {
  const { projectIds, teamId, triggers, match, conditions, actions, steps, frequencyMinutes } = rule;
  const projects = teamId
    ? `any project of ${names.receiver({ kind: "team", id: teamId }) ?? "a team that is gone"}`
    : projectIds === null
      ? "any project"
      : joinWords(
          projectIds.length > 3
            ? [`${projectIds.length} projects`]
            : projectIds.map((id) => names.project(id) ?? "a project that you do not see"),
          "or",
        );
  const parts: SaidPart[] = [
    { text: "When an issue of " },
    { text: projects, field: FIELD_IDS.projects },
    { text: " " },
    ...join(
      triggers.map((trigger) => ({ text: sayTrigger(trigger), field: FIELD_IDS.trigger(trigger) })),
      "or",
    ),
  ];
  if (conditions.length > 0) {
    const said = conditions.map((text) => ({ text, field: FIELD_IDS.conditions }));
    parts.push({ text: ", if it fits " });
    if (match === "none" || conditions.length > 1)
      parts.push(
        { text: match === "all" ? "all of" : match === "any" ? "any of" : "none of", field: FIELD_IDS.match },
        { text: " " },
      );
    parts.push(...join(said, match === "all" ? "and" : "or"));
  }
  parts.push({ text: ", tell " });
  parts.push(
    ...join(
      actions.map((action) => ({ text: sayAction(action, names), field: FIELD_IDS.action(action) })),
      "and",
    ),
  );
  parts.push({ text: ", " });
  parts.push({
    text: frequencyMinutes === 0 ? "each time" : `at most once in ${sayMinutes(frequencyMinutes)} for the same issue`,
    field: FIELD_IDS.frequency,
  });
  parts.push({ text: "." });
  if (steps.length > 0) {
    parts.push({ text: " If nobody acknowledges it: " });
    for (const [index, { afterMinutes, actions: told }] of steps.entries())
      parts.push(
        { text: index === 0 ? "after " : "; after " },
        { text: `${sayMinutes(afterMinutes)}, tell ${sayActions(told, names)}`, field: FIELD_IDS.step(index) },
      );
    parts.push({ text: "." });
  }
  return parts;
}

function sayTrigger(trigger: AlertTrigger): string {
  return isCountTrigger(trigger) ? `reaches ${sayNumber(trigger)}` : CHANGES[trigger.kind];
}

/** `20 users in 10 minutes`. */
export function sayNumber({ kind, count, minutes }: Extract<AlertTrigger, { count: number }>): string {
  const noun = count === 1 ? kind.slice(0, -1) : kind;
  return `${count.toLocaleString("en")} ${noun} in ${sayMinutes(minutes)}`;
}

/** `#payments and Ada`. */
export function sayActions(actions: readonly AlertAction[], names: Pick<RuleNames, "receiver">): string {
  // A step that somebody is still writing.
  if (actions.length === 0) return "nobody";
  return joinWords(
    actions.map((action) => sayAction(action, names)),
    "and",
  );
}

function sayAction(action: AlertAction, names: Pick<RuleNames, "receiver">): string {
  switch (action.kind) {
    case "members":
      return "the members of the project";
    case "recipients":
      return "the addresses and channels of the project";
    case "assignee":
      return "the assignee";
    case "owners":
      return "the owners by rule";
    default:
      return (
        names.receiver(action) ?? (action.kind === "on-call" ? "a rota that is gone" : `a ${action.kind} that is gone`)
      );
  }
}

/** `10 minutes`, `1 hour`, `2 days`, `1 h 30 min`. */
export function sayMinutes(minutes: number): string {
  const units = [
    [DAY_MS / MINUTE_MS, "day"],
    [HOUR_MS / MINUTE_MS, "hour"],
    [1, "minute"],
  ] as const;
  for (const [size, unit] of units)
    if (minutes % size === 0) return `${(minutes / size).toLocaleString("en")} ${unit}${minutes === size ? "" : "s"}`;
  return `${minutes} minutes`;
}

export function toSentence(parts: readonly SaidPart[]): string {
  return parts.map(({ text }) => text).join("");
}

function join(parts: readonly SaidPart[], word: string): SaidPart[] {
  return parts.flatMap((part, index) => {
    if (index === 0) return [part];
    return [{ text: index === parts.length - 1 ? ` ${word} ` : ", " }, part];
  });
}

function joinWords(words: readonly string[], word: string): string {
  return join(
    words.map((text) => ({ text })),
    word,
  )
    .map(({ text }) => text)
    .join("");
}
