import type { TargetKind } from "../notification.ts";
import { MINUTE_MS } from "../time.ts";
import type { AlertStep } from "./alert-rule.ts";

/** Why a period ended. */
const PERIOD_ENDS = ["resolved", "archived", "rule", "limit"] as const;
export type PeriodEnd = (typeof PERIOD_ENDS)[number];

/** One notification about a period. `step` is the number of the step, from 0. Null: it was sent when the period opened. */
export interface ToldStep {
  step: number | null;
  /** Milliseconds since 1970. */
  at: number;
  targets: ReadonlyArray<{ channel: TargetKind; address: string }>;
}

/** An issue that a rule with steps has told, until somebody deals with it. */
export interface AlertPeriod {
  id: number;
  ruleId: number;
  projectId: number;
  issueId: number;
  eventId: string;
  release: string | null;
  openedAt: number;
  /** The number of steps that were told. */
  nextStep: number;
  /** When the next step is due. Null: no step is left, or the period was acknowledged. */
  nextAt: number | null;
  told: readonly ToldStep[];
  /** `by` null: a token of the organization, or somebody who is gone. */
  acknowledged: { at: number; by: { id: number; name: string } | null } | null;
  ended: { at: number; reason: PeriodEnd } | null;
}

/** Periods of a rule that are kept open, and as many that have ended. */
export const MAX_PERIODS = 500;

/** When the next step of a period is due, by the rule's present steps. Null: no step is left. */
export function findNextAt(
  steps: readonly Pick<AlertStep, "afterMinutes">[],
  { openedAt, nextStep }: Pick<AlertPeriod, "openedAt" | "nextStep">,
): number | null {
  const step = steps[nextStep];
  return step === undefined ? null : openedAt + step.afterMinutes * MINUTE_MS;
}

/** The step that is to be told now, and its number. Null: none is due. */
export function findDueStep(
  steps: readonly AlertStep[],
  period: Pick<AlertPeriod, "openedAt" | "nextStep" | "acknowledged" | "ended">,
  now: number,
): { number: number; step: AlertStep } | null {
  if (period.acknowledged !== null || period.ended !== null) return null;
  const at = findNextAt(steps, period);
  const step = steps[period.nextStep];
  return step === undefined || at === null || at > now ? null : { number: period.nextStep, step };
}
