import type { OutcomeCount } from "../../domain/outcome.ts";
import type { Cutoffs } from "../../domain/stored-signal.ts";

/** Counts the data that retention has deleted. */
export interface ExpirationStore {
  /** The instants up to which each signal was counted. 0: nothing of it was counted. */
  expiredUpTo(): Promise<Cutoffs>;
  /** Atomic: the counts, and up to when they are. No instant goes back. */
  noteExpired(expired: { cutoffs: Cutoffs; counts: readonly OutcomeCount[] }): Promise<void>;
  /** Drops examples of filtered events that are older than a day. Returns how many. */
  dropOldExamples(now: number): Promise<number>;
}
