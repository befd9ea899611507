import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { DurationHistogram } from "../../domain/spans/duration-histogram.ts";
import type { WebVital } from "../../domain/spans/web-vitals.ts";

/** Names of transactions that a project has in its sums at once, and as many of pages. Further ones are added up, without a name. */
export const MAX_TRANSACTION_NAMES = 1_000;

/** Transactions of one answer. */
export const MAX_TRANSACTIONS = 1_000;

export interface TransactionFilter {
  projectIds: ScopedProjectIds;
  /** Inclusive and exclusive bound of when they began, in whole minutes; milliseconds since 1970. Whole hours are read faster. */
  from: number;
  to: number;
  /** Empty: all. */
  environments: readonly string[];
  /** Part of the name, in any case. */
  text?: string;
  /** One transaction; its name is null for those that are not named. */
  transaction?: { name: string | null; op: string };
}

/** Figures of a transaction. All but `spans` count each as often as its sampling rate says. */
export interface TransactionSum {
  projectId: number;
  /** The name without ids, numbers and literals. Null: all transactions beyond the names that a project may have. */
  name: string | null;
  /** Empty: it was sent without one. */
  op: string;
  /** Beginning of the bucket, milliseconds since 1970; null: the whole range. */
  at: number | null;
  /** Those that are stored. */
  spans: number;
  weight: number;
  failedWeight: number;
  totalUs: number;
  durations: DurationHistogram;
}

/** Spans of one op in a transaction. */
export interface TransactionOpSum {
  /** Empty: they were sent without one. */
  op: string;
  spans: number;
  weight: number;
  totalUs: number;
}

/** A web vital of a page. All but `spans` count each as often as its sampling rate says. */
export interface VitalSum {
  projectId: number;
  /** See `TransactionSum`. */
  name: string | null;
  vital: WebVital;
  spans: number;
  weight: number;
  goodWeight: number;
  poorWeight: number;
  /** See `scaleOf`. */
  values: DurationHistogram;
}

/** Spans of one transaction that began in one time and took about as long. All but `spans` count each as often as its sampling rate says. */
export interface TransactionCell {
  /** When the time begins, milliseconds since 1970. */
  at: number;
  /** See `BUCKET_GROWTH`. */
  bucket: number;
  /** Those that are stored. */
  spans: number;
  weight: number;
  failedWeight: number;
  totalUs: number;
}

/** Sums that are kept of transactions: spans that begin what a service does. They hold what has come, also in the last seconds. */
export interface TransactionSums {
  /** The transactions that took most time since `rankFrom` (default: the start of the filter), at most `limit`. */
  sumTransactions(
    filter: TransactionFilter,
    options: { bucketMs: number | null; limit: number; rankFrom?: number },
  ): Promise<{ sums: TransactionSum[]; hasMore: boolean }>;
  /** The operations on which a transaction spends its time, by whole hours, most time first. At most 20. */
  sumTransactionOps(filter: TransactionFilter & { transaction: { name: string | null } }): Promise<TransactionOpSum[]>;
  /**
   * Spans of one transaction by duration and time. The time is in units from `unitsFrom` on; everything before, from the start of the
   * filter, is one unit. `fromBucket`: leaves out shorter durations.
   */
  listTransactionCells(
    filter: TransactionFilter & { transaction: { name: string | null } },
    options: { unitMs: number; unitsFrom: number; fromBucket?: number },
  ): Promise<TransactionCell[]>;
  /** Of the `limit` pages that were loaded most. */
  sumVitals(
    filter: Omit<TransactionFilter, "transaction">,
    options: { limit: number },
  ): Promise<{ sums: VitalSum[]; hasMore: boolean }>;
}
