import type { OutcomeCount } from "../../domain/outcome.ts";
import type { Cutoffs } from "../../domain/stored-signal.ts";

/** What retention has deleted, as far as it is counted. */
export interface ExpirationStore {
  /** Up to when each signal is counted; 0: nothing of it ever was. */
  expiredUpTo(): Promise<Cutoffs>;
  /** Atomic: the counts, and up to when they are. No instant goes back. */
  noteExpired(expired: { cutoffs: Cutoffs; counts: readonly OutcomeCount[] }): Promise<void>;
  /** Examples of filtered events that are older than a day. Gives how many went. */
  dropOldExamples(now: number): Promise<number>;
}
