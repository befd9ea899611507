import { type DurationHistogram, middleOf } from "./duration-histogram.ts";

/** Milliseconds within which people are satisfied, as Sentry has it (read in 2026-11). */
export const DEFAULT_APDEX_MS = 300;
export const MAX_APDEX_MS = 600_000;

/**
 * Apdex: durations within the threshold count whole, those within four times the threshold count half. Null: there are none. It is
 * computed from a histogram, so durations in the bucket of the threshold count by the middle of that bucket.
 */
export function apdexOf(durations: DurationHistogram, thresholdMs: number): number | null {
  const thresholdUs = thresholdMs * 1000;
  let [satisfied, tolerating, total] = [0, 0, 0];
  for (const [bucket, weight] of durations) {
    const us = middleOf(bucket);
    total += weight;
    if (us <= thresholdUs) satisfied += weight;
    else if (us <= 4 * thresholdUs) tolerating += weight;
  }
  return total > 0 ? (satisfied + tolerating / 2) / total : null;
}
