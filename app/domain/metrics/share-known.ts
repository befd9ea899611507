import type { Downtime } from "../monitors/watch-runs.ts";

/** The share of a time in which Culprit was not down, from 0 to 1. Downtimes do not overlap. */
export function shareKnown({ from, to }: { from: number; to: number }, downtimes: readonly Downtime[]): number {
  if (to <= from) return 1;
  const downMs = downtimes.reduce(
    (sum, down) => sum + Math.max(0, Math.min(to, down.to) - Math.max(from, down.from)),
    0,
  );
  return 1 - downMs / (to - from);
}
