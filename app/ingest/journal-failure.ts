import { type JournalRefusal, JournalUnavailableError } from "../journal/journal.ts";
import { DEFAULT_RETRY_AFTER_SECONDS } from "../protocol/rate-limits.ts";
import { Refusal, type RefusalCode } from "./refusal.ts";

const CODE_BY_REASON = {
  "backlog-full": "backlog_full",
  "disk-full": "disk_full",
  "disk-error": "disk_error",
} as const satisfies Record<JournalRefusal["reason"], RefusalCode>;

/** The refusal for the sender if the journal says beforehand that it takes nothing. */
export function journalRefused(refusal: JournalRefusal): Refusal {
  return new Refusal(CODE_BY_REASON[refusal.reason], refusal.message, {
    retryAfterSeconds: Math.max(1, Math.ceil(refusal.retryAfterSeconds)),
  });
}

/** The refusal for the sender if an append failed. A failure without a reason counts as one of the disk. */
export function journalFailure(error: unknown): Refusal {
  if (error instanceof JournalUnavailableError) return journalRefused(error.refusal);
  const retryAfterSeconds = DEFAULT_RETRY_AFTER_SECONDS;
  return new Refusal("disk_error", "the journal could not be written", { retryAfterSeconds });
}
