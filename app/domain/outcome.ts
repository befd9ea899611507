import { DATA_CATEGORIES } from "./data-category.ts";

/** The bucket in which an item ends. Every item that arrives, or that an SDK says it dropped, ends in exactly one. */
export const OUTCOMES = [
  "accepted",
  "deleted",
  "damaged",
  "duplicate",
  "filtered",
  "rate_limited",
  "too_large",
  "malformed",
  "unsupported",
  "client_discard",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/**
 * What happened later to accepted items. They are counted beside the buckets, because each item is already in one. `expired`: deleted
 * because the retention was over, or because the disk was nearly full.
 */
export type LaterOutcome = "expired";

/** Why items expired. */
export type ExpiryReason = "retention" | "disk_space";

/** The number of items of one kind that ended in one bucket. */
export interface OutcomeCount {
  projectId: number;
  /** A data category. Client reports may name others: kept as they came, at most 64 characters. */
  category: string;
  outcome: Outcome | LaterOutcome;
  /** Why, as a short token (`key_quota`, `ratelimit_backoff`); empty for `accepted`. At most 64 characters. */
  reason: string;
  quantity: number;
  /** Milliseconds since 1970 at which Culprit received the request. */
  receivedAt: number;
  /**
   * The answer to the request lets its SDK report these items as lost once more, in a client report. Absent: it does not. Items
   * that are left out of an accepted envelope are never reported.
   */
  canBeReported?: true;
}

const IN_BYTES: ReadonlySet<string> = new Set(["log_byte", "trace_metric_byte", "attachment_byte"]);

/** Whether quantities of a category are bytes. SDKs report lost logs and metrics twice: how many, and how long they were. */
export function isInBytes(category: string): boolean {
  return IN_BYTES.has(category);
}

const KNOWN_CATEGORIES: ReadonlySet<string> = new Set(DATA_CATEGORIES);

/** The words under which a client's own words are counted when there is no room for new ones. */
export function withoutOwnWords(category: string): Pick<OutcomeCount, "category" | "reason"> {
  return { category: KNOWN_CATEGORIES.has(category) ? category : "unknown", reason: "other" };
}
