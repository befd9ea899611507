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
   * Marks the open periods of the issue as acknowledged by somebody. Their later steps are not told, and their rules do not tell the issue
   * again. Returns the ids of the periods that changed; empty: there was nothing to acknowledge. `via` is a word for the activity of the
   * issue.
   */
  acknowledge(
    scope: Scope,
    of: { issueId: number; userId: number | null; via: AcknowledgedVia; at: number },
  ): Promise<number[]>;
  /**
   * Takes the acknowledgement of periods of the issue back. Steps that became due meanwhile are told at once. Returns how many periods
   * changed.
   */
  withdraw(
    scope: Scope,
    of: { issueId: number; periodIds: readonly number[]; userId: number | null; at: number },
  ): Promise<number>;
}

export type AcknowledgedVia = "page" | "link" | "api";

/** A period whose next step is due. */
export interface DuePeriod extends AlertPeriod {
  steps: readonly AlertStep[];
  ruleName: string;
}

/** Periods as the server escalates them. */
export interface AlertPeriodWork {
  /** The due periods after the cursor, by instant and then by id. `limit` at most 100. */
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
