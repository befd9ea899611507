import type { AlertStep } from "../../domain/alerts/alert-rule.ts";
import type { AlertPeriod } from "../../domain/alerts/escalation.ts";
import type { Scope } from "../../domain/scope.ts";
import type { DeliveryTarget, NewsItem } from "./delivery-store.ts";

/** Periods as people see and answer them; those of their projects. */
export interface AlertPeriodStore {
  /** The open ones first, then the newest; `limit` at most 100. */
  listPeriods(
    scope: Scope,
    of: { ruleId?: number; issueId?: number; isOpen?: boolean; limit: number },
  ): Promise<AlertPeriod[]>;
  /**
   * Somebody has the issue: its open periods that nobody has acknowledged tell no further step, and their rules do not tell it again. Gives the ids of
   * these periods; none: there was nothing to acknowledge. `via` is a word for the activity of the issue.
   */
  acknowledge(
    scope: Scope,
    of: { issueId: number; userId: number | null; via: AcknowledgedVia; at: number },
  ): Promise<number[]>;
  /** Puts periods of the issue back to where nobody has acknowledged them. What was due meanwhile is told at once. Gives how many. */
  withdraw(
    scope: Scope,
    of: { issueId: number; periodIds: readonly number[]; userId: number | null; at: number },
  ): Promise<number>;
}

export type AcknowledgedVia = "page" | "link" | "api";

/** A period whose next step is due. */
export interface DuePeriod extends AlertPeriod {
  /** The steps of its rule. */
  steps: readonly AlertStep[];
  ruleName: string;
}

/** Periods as the server escalates them. */
export interface AlertPeriodWork {
  /** Those that are due, after the cursor: by the instant and then by id. `limit` at most 100. */
  listDue(of: { now: number; after: { nextAt: number; id: number } | null; limit: number }): Promise<DuePeriod[]>;
  /** Whether a rule waits for somebody to acknowledge the issue. */
  isUnanswered(issueId: number): Promise<boolean>;
  /** Periods that began after `now` begin now: the clock was set back. Steps that were told stay told. */
  settleClock(now: number): Promise<number>;
  /**
   * Atomic: notes that the step was told and adds its messages to the queue. False: it was told already, or somebody has acknowledged it, or the period
   * has ended; then nothing is added.
   */
  tellStep(of: {
    periodId: number;
    number: number;
    targets: readonly DeliveryTarget[];
    item: NewsItem;
    now: number;
    createKey: () => string;
  }): Promise<boolean>;
}
