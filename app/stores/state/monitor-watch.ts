import type { Downtime } from "../../domain/monitors/watch-runs.ts";

/** A pause between two signs of life that is longer counts as a time in which Culprit was down. */
export const MAX_SILENCE_MS = 90_000;
/** The oldest are forgotten. */
export const MAX_DOWNTIMES = 100;

/** Time passes for monitors. Check-ins come by `BatchStore.applyBatch`. */
export interface MonitorWatch {
  /**
   * Notes that the server is alive. If it was not alive for longer than `MAX_SILENCE_MS`, or if `isJump` says that the clock was set, that
   * time is stored as one in which nobody watched. Call it before the digest starts, and every few seconds. Returns that time. Null: there
   * was none.
   */
  noteAlive(now: number, options?: { isJump?: boolean }): Promise<Downtime | null>;
  /**
   * Decides about runs that were due, or had to end, until `asOf`, for at most `limit` environments, in one transaction with their
   * findings. All check-ins until then must have been applied. Returns how many environments were looked at.
   */
  watchMonitors(asOf: number, limit: number): Promise<number>;
  /** The clock was set back: waits for the next due time of every monitor after `now`. */
  planAgain(now: number): Promise<void>;
}
