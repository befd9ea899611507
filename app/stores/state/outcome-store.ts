import type { ExpiryReason, Outcome, OutcomeCount } from "../../domain/outcome.ts";
import type { Scope } from "../../domain/scope.ts";

export interface OutcomeQuery {
  /** The first time of arrival. Hours that the range touches count whole. */
  from: number;
  to: number;
  /** Whole hours, in milliseconds, counted from 1970 (UTC); null: one sum over the range. */
  bucketMs: number | null;
  groupBy: Array<"outcome" | "reason" | "category" | "project">;
  /** Absent: all; an empty list matches nothing. So for the next two. */
  outcomes?: Outcome[];
  categories?: string[];
  reasons?: string[];
}

export interface OutcomeSum {
  /** Start of the bucket; the range's start when there are no buckets. */
  at: number;
  outcome?: Outcome;
  reason?: string;
  category?: string;
  projectId?: number;
  quantity: number;
}

/** Items that were accepted once, and were deleted in a range of time. */
export interface ExpiredSum {
  projectId: number;
  category: string;
  reason: ExpiryReason;
  quantity: number;
}

/** The ledger: what became of everything that was sent. */
export interface OutcomeStore {
  /**
   * The sums by bucket, then by the fields of `groupBy`. Sums of zero are left out.
   * @throws {RangeError} as `listTrends` does
   */
  sumOutcomes(scope: Scope, query: OutcomeQuery): Promise<OutcomeSum[]>;
  /** Largest first. `from`, `to` and `categories` as for `sumOutcomes`, which leaves these out. */
  sumExpired(scope: Scope, query: Pick<OutcomeQuery, "from" | "to" | "categories">): Promise<ExpiredSum[]>;
  /** Counts what never reached the journal (start-up, repairs); anything else goes through `applyBatch`. */
  addOutcomes(outcomes: OutcomeCount[]): Promise<void>;
}
