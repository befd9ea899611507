import { hasRight, includesProject, type Scope } from "../scope.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import { type AlertRule, mayManageRule } from "./alert-rule.ts";

/** A period in which alert rules send nothing about some changes. */
export interface AlertSilence {
  id: number;
  /** The changes that it covers. Null: any. At least one field is set, and a change must match all that are set. */
  ruleId: number | null;
  projectId: number | null;
  environment: string | null;
  reason: string;
  /** The name of who made it. */
  madeBy: string;
  /** Milliseconds since 1970. */
  startsAt: number;
  /** The silence is in force before this instant, in milliseconds since 1970. */
  endsAt: number;
}

export type SilenceDraft = Omit<AlertSilence, "id" | "startsAt">;

export const MAX_REASON = 200;
export const MAX_ENVIRONMENT = 64;
const MIN_SILENCE_MS = MINUTE_MS;
const MAX_SILENCE_MS = 30 * DAY_MS;
/** Silences that may be in force at the same time. */
export const MAX_SILENCES = 200;
/** Time for which a silence that has ended is kept, with what it held back. */
export const SILENCE_KEPT_MS = 30 * DAY_MS;

/** Choices of one press. `tomorrow` ends at the next eight o'clock in the morning, UTC. */
export const SILENCE_CHOICES = [
  { name: "1h", label: "For 1 hour" },
  { name: "tomorrow", label: "Until tomorrow" },
] as const;
export type SilenceChoice = (typeof SILENCE_CHOICES)[number]["name"];

const MORNING_MS = 8 * HOUR_MS;

export function endOfChoice(choice: SilenceChoice, now: number): number {
  if (choice === "1h") return now + HOUR_MS;
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS + MORNING_MS;
}

/** Says why an end is refused. Null: it is accepted. */
export function findEndProblem(endsAt: number, now: number): string | null {
  if (Number.isNaN(endsAt)) return "Choose a day and a time.";
  if (endsAt < now + MIN_SILENCE_MS) return "Must be at least a minute from now.";
  return endsAt > now + MAX_SILENCE_MS ? "Must be within 30 days." : null;
}

/** The facts about a change that silences compare. */
export interface SilencedChange {
  ruleId: number;
  projectId: number;
  /** Null: not known. */
  environment: string | null;
  at: number;
}

/** The silence that covers a change. If several do, the one that ends last. Null: none does. */
export function findSilence(silences: readonly AlertSilence[], change: SilencedChange): AlertSilence | null {
  let found: AlertSilence | null = null;
  for (const silence of silences)
    if (coversChange(silence, change) && (found === null || silence.endsAt > found.endsAt)) found = silence;
  return found;
}

function coversChange(
  { ruleId, projectId, environment, startsAt, endsAt }: AlertSilence,
  change: SilencedChange,
): boolean {
  return (
    startsAt <= change.at &&
    change.at < endsAt &&
    (ruleId === null || ruleId === change.ruleId) &&
    (projectId === null || projectId === change.projectId) &&
    (environment === null || environment === change.environment)
  );
}

/**
 * Whether somebody may make or end a silence. People who may record deploys may silence a project. `rule`: the rule of the silence.
 * Null: the silence covers every rule.
 */
export function mayManageSilence(
  scope: Scope,
  { projectId, rule }: { projectId: number | null; rule: Pick<AlertRule, "projectIds"> | null },
): boolean {
  if (rule !== null) return mayManageRule(scope, rule);
  if (projectId !== null)
    return (
      includesProject(scope, projectId) && (hasRight(scope, "project:write") || hasRight(scope, "project:releases"))
    );
  return hasRight(scope, "org:write");
}

/** `the rule Checkout`, `shop`, `shop, environment staging`, `environment staging`. */
export function sayCovered({
  rule,
  project,
  environment,
}: {
  rule: string | null;
  project: string | null;
  environment: string | null;
}): string {
  return [rule !== null && `the rule ${rule}`, project, environment !== null && `environment ${environment}`]
    .filter(Boolean)
    .join(", ");
}
