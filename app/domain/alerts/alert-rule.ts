import { hasRight, includesProject, type Scope } from "../scope.ts";
import { DAY_MS, MINUTE_MS } from "../time.ts";

/** Changes of an issue that a rule can wait for. */
export const CHANGE_TRIGGERS = ["new", "regressed", "unarchived", "escalating", "resolved", "high-priority"] as const;
export type ChangeTrigger = (typeof CHANGE_TRIGGERS)[number];

/** Numbers of one issue that a rule can wait for. */
export const COUNT_TRIGGERS = ["events", "users"] as const;
export type CountTrigger = (typeof COUNT_TRIGGERS)[number];

export type AlertTrigger =
  | { kind: ChangeTrigger }
  /** So many events or users of one issue within the last minutes. */
  | { kind: CountTrigger; count: number; minutes: number };

/** How the conditions of a rule are joined. */
export const MATCHES = ["all", "any", "none"] as const;
export type Match = (typeof MATCHES)[number];

/** Who is told. */
export type AlertAction =
  /** Who sees the project by a team or was given it; where nobody does, the owners of the organization. */
  | { kind: "members" }
  /** The addresses and channels of the page *Notifications* of the project. */
  | { kind: "recipients" }
  | { kind: "assignee" }
  /** Who owns the issue by the first ownership rule of the project that matches its event. */
  | { kind: "owners" }
  | { kind: "team"; id: number }
  /** Who is on call by the rota of a team; without a rota, the whole team. */
  | { kind: "on-call"; id: number }
  | { kind: "person"; id: number }
  /** `place`: another channel or thread of the chat (`channels/channel-place.ts`); absent: the channel's own. */
  | { kind: "channel"; id: number; place?: string };

/** Who is told if nobody has acknowledged an issue so long after the rule told it. */
export interface AlertStep {
  /** Counted from the first message. Each step is later than the one before it. */
  afterMinutes: number;
  /** At least one. */
  actions: readonly AlertAction[];
}

export interface AlertRule {
  id: number;
  name: string;
  /** Ascending; null: all projects, also those that come later. With a team: those that it sees now. */
  projectIds: readonly number[] | null;
  /** It covers the projects of this team, also those that come later; absent and null: the chosen ones. */
  teamId?: number | null;
  /** At least one; any of them. */
  triggers: readonly AlertTrigger[];
  match: Match;
  /** Searches in the language of issues; empty: every issue. */
  conditions: readonly string[];
  /** At least one. */
  actions: readonly AlertAction[];
  /** Who else is told, one step after the other, until somebody acknowledges; at most `MAX_STEPS`. */
  steps: readonly AlertStep[];
  /** Nothing is told again of the same issue for so long. 0: of each change. */
  frequencyMinutes: number;
  isEnabled: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  changedAt: number;
}

/** What people choose of a rule. */
export type AlertRuleDraft = Omit<AlertRule, "id" | "createdAt" | "changedAt">;

export const MAX_RULES = 500;
export const MAX_RULE_NAME = 120;
export const MAX_TRIGGERS = 10;
export const MAX_CONDITIONS = 10;
export const MAX_ACTIONS = 20;
export const MAX_STEPS = 5;
/** A week. */
export const MAX_STEP_MINUTES = 7 * 24 * 60;
export const MAX_COUNT = 1_000_000;
/** A day: what comes slower is a change of weeks, for a monitor. */
export const MAX_WINDOW_MINUTES = 24 * 60;
export const MAX_FREQUENCY_MINUTES = (30 * DAY_MS) / MINUTE_MS;

/** One time that a rule fired. */
export interface AlertFiring {
  id: number;
  ruleId: number;
  projectId: number;
  issueId: number;
  trigger: AlertTrigger["kind"];
  /** Milliseconds since 1970. */
  at: number;
  /** Of numbers: when they fell below the line, or the issue was dealt with. Null: they are still above it. */
  endedAt: number | null;
  /** The largest number so far; null: a change has none. */
  peak: number | null;
  /** How many were told. */
  targetCount: number;
}

/** As a form names it: `members`, `team:3`. */
export function toActionWord(action: AlertAction): string {
  return "id" in action ? `${action.kind}:${action.id}` : action.kind;
}

export function isCountTrigger(trigger: AlertTrigger): trigger is Extract<AlertTrigger, { count: number }> {
  return "count" in trigger;
}

export function coversProject({ projectIds }: Pick<AlertRule, "projectIds">, projectId: number): boolean {
  return projectIds === null || projectIds.includes(projectId);
}

/** Whether somebody sees that there is such a rule. */
export function maySeeRule(scope: Scope, { projectIds }: Pick<AlertRule, "projectIds">): boolean {
  return projectIds === null || projectIds.some((id) => includesProject(scope, id));
}

/** Whether somebody may make, change or delete a rule of these projects; null: of all. */
export function mayManageRule(scope: Scope, { projectIds }: Pick<AlertRule, "projectIds">): boolean {
  if (projectIds === null) return hasRight(scope, "org:write");
  return hasRight(scope, "project:write") && projectIds.every((id) => includesProject(scope, id));
}
