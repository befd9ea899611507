import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { AttemptCounter, type AttemptLimit } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";

/** Limits for reports about broken pages. Strangers may send them, and each becomes an event. */
export const FEEDBACK_LIMITS = {
  network: { maxAttempts: 5, windowMs: 10 * MINUTE_MS },
  everybody: { maxAttempts: 100, windowMs: HOUR_MS },
} as const satisfies Record<string, AttemptLimit>;

export interface FeedbackLimit {
  /**
   * Counts a report and returns 0. If the limit is reached, returns the seconds until the next report is accepted. `now`: milliseconds of a
   * clock that never goes back.
   */
  count(clientAddress: string | null, now: number): number;
}

/** The counts are in memory, so a restart forgets them. */
export function createFeedbackLimit(): FeedbackLimit {
  const network = new AttemptCounter(FEEDBACK_LIMITS.network);
  const everybody = new AttemptCounter(FEEDBACK_LIMITS.everybody);
  return {
    count(clientAddress, now) {
      const from = toNetwork(clientAddress);
      const retryAfterSeconds = Math.max(network.retryAfterSeconds(from, now), everybody.retryAfterSeconds("", now));
      if (retryAfterSeconds > 0) return retryAfterSeconds;
      network.record(from, now);
      everybody.record("", now);
      return 0;
    },
  };
}
