/** Each bucket ends 6 % above its start, so its middle is less than 3 % off any value in it. */
export const BUCKET_GROWTH = 1.06;

/** Bucket of spans that took less than a microsecond. */
export const EMPTY_BUCKET = -1;

export type DurationHistogram = ReadonlyArray<readonly [bucket: number, weight: number]>;

/** Microseconds that stand for all spans of a bucket. */
export function middleOf(bucket: number): number {
  return bucket < 0 ? 0 : (2 * BUCKET_GROWTH ** (bucket + 1)) / (BUCKET_GROWTH + 1);
}

/** The share of a bucket that took no longer than `us`, as if its spans were spread evenly. */
export function shareWithin(bucket: number, us: number): number {
  if (bucket < 0) return 1;
  const start = BUCKET_GROWTH ** bucket;
  return Math.min(1, Math.max(0, (us - start) / (start * (BUCKET_GROWTH - 1))));
}

/** The duration that this share of the weight does not exceed, in microseconds. Null: there is no weight. */
export function quantileOf(histogram: DurationHistogram, share: number): number | null {
  const bucket = weightedQuantile(histogram, share);
  return bucket === null ? null : middleOf(bucket);
}

/** The smallest number that this share of the weight does not exceed. Null: there is no weight. */
export function weightedQuantile(
  numbers: ReadonlyArray<readonly [number: number, weight: number]>,
  share: number,
): number | null {
  const sorted = numbers.toSorted(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0);
  if (total <= 0) return null;
  let passed = 0;
  for (const [number, weight] of sorted) {
    passed += weight;
    // Rounding errors of floating-point sums must not lead beyond the last bucket.
    if (passed >= share * total * (1 - 1e-12)) return number;
  }
  return sorted.at(-1)?.[0] ?? null;
}
