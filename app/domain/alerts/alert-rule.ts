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
  /** An issue had `count` events or users within the last `minutes` minutes. */
  | { kind: CountTrigger; count: number; minutes: number };

/** How the conditions of a rule are joined. */
export const MATCHES = ["all", "any", "none"] as const;
export type Match = (typeof MATCHES)[number];

/** Who is told. */
export type AlertAction =
  /** The members who see the project through a team, or to whom it was given. If there are none, the owners of the organization. */
  | { kind: "members" }
  /** The addresses and channels of the page *Notifications* of the project. */
  | { kind: "recipients" }
  | { kind: "assignee" }
  /** The owners in the first ownership rule of the project that matches the event. */
  | { kind: "owners" }
  | { kind: "team"; id: number }
  /** The member who is on call by the team's rota. Without a rota, the whole team. */
  | { kind: "on-call"; id: number }
  | { kind: "person"; id: number }
  /** `place`: another channel or thread of the chat (`channels/channel-place.ts`); absent: the channel's own. */
  | { kind: "channel"; id: number; place?: string };

/** A later step of a rule: whom it tells if nobody has acknowledged the issue by then. */
export interface AlertStep {
  /** Counted from the first message. Each step is later than the one before it. */
  afterMinutes: number;
  /** At least one. */
  actions: readonly AlertAction[];
}

export interface AlertRule {
  id: number;
  name: string;
  /** Ids, ascending. Null: all projects, also later ones. If `teamId` is set: the projects that the team sees now. */
  projectIds: readonly number[] | null;
  /** The rule covers the projects of this team, also later ones. Absent or null: it covers `projectIds`. */
  teamId?: number | null;
  /** At least one. The rule starts when any of them happens. */
  triggers: readonly AlertTrigger[];
  match: Match;
  /** Searches in the language of issues; empty: every issue. */
  conditions: readonly string[];
  /** At least one. */
  actions: readonly AlertAction[];
  /** The steps that follow, one after the other, until somebody acknowledges. At most `MAX_STEPS`. */
  steps: readonly AlertStep[];
  /** Minutes in which nothing more is told about the same issue. 0: each change is told. */
  frequencyMinutes: number;
  isEnabled: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  changedAt: number;
}

/** The parts of a rule that people choose. */
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

/** One firing of a rule. */
export interface AlertFiring {
  id: number;
  ruleId: number;
  projectId: number;
  issueId: number;
  trigger: AlertTrigger["kind"];
  /** Milliseconds since 1970. */
  at: number;
  /** For rules about numbers: when the number fell below the line, or the issue was dealt with. Null: the number is still above the line. */
  endedAt: number | null;
  /** The largest number so far; null: a change has none. */
  peak: number | null;
  /** The number of receivers who were told. */
  targetCount: number;
}

/** The word for an action in forms: `members`, `team:3`. */
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

/** Whether somebody may make, change or delete a rule for these projects. Null: for all projects. */
export function mayManageRule(scope: Scope, { projectIds }: Pick<AlertRule, "projectIds">): boolean {
  if (projectIds === null) return hasRight(scope, "org:write");
  return hasRight(scope, "project:write") && projectIds.every((id) => includesProject(scope, id));
}
