import { type DurationHistogram, shareWithin } from "./duration-histogram.ts";

/** Milliseconds within which people are satisfied, as Sentry has it (read in 2026-11). */
export const DEFAULT_APDEX_MS = 300;
export const MAX_APDEX_MS = 600_000;

/**
 * Apdex: durations within the threshold count whole, those within four times the threshold count half. Null: there are none. It is
 * computed from a histogram, so the bucket of the threshold counts by the part of it that lies below.
 */
export function apdexOf(durations: DurationHistogram, thresholdMs: number): number | null {
  const thresholdUs = thresholdMs * 1000;
  let [satisfied, tolerated, total] = [0, 0, 0];
  for (const [bucket, weight] of durations) {
    total += weight;
    satisfied += weight * shareWithin(bucket, thresholdUs);
    tolerated += weight * shareWithin(bucket, 4 * thresholdUs);
  }
  return total > 0 ? (satisfied + tolerated) / 2 / total : null;
}
