import { BUCKET_GROWTH, type DurationHistogram, EMPTY_BUCKET } from "./duration-histogram.ts";

/** With more rows, each would be too low to be seen. */
const MAX_ROWS = 26;

/** Counts of spans by when they began and how long they took. */
export interface DurationHeatmap {
  /** The first row has the shortest spans. Microseconds, to exclusive; each begins where the one before ends. */
  rows: Array<{ fromUs: number; toUs: number }>;
  /** Counts by row, then by column. Each span counts as often as its sampling rate says. Three digits. */
  weights: number[][];
  most: number;
}

/** @param columns a histogram for each stretch of time, in their order */
export function toDurationHeatmap(columns: readonly DurationHistogram[]): DurationHeatmap {
  const buckets = columns.flatMap((histogram) => histogram.map(([bucket]) => bucket));
  if (buckets.length === 0) return { rows: [], weights: [], most: 0 };
  const [first, last] = [Math.min(...buckets), Math.max(...buckets)];
  const rowBuckets = Math.max(1, Math.ceil((last - first + 1) / MAX_ROWS));
  const rowCount = Math.ceil((last - first + 1) / rowBuckets);
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    fromUs: beginOf(first + row * rowBuckets),
    toUs: beginOf(first + (row + 1) * rowBuckets),
  }));
  const weights = rows.map(() => new Array<number>(columns.length).fill(0));
  for (const [column, histogram] of columns.entries())
    for (const [bucket, weight] of histogram) {
      const row = weights[Math.floor((bucket - first) / rowBuckets)] as number[];
      row[column] = (row[column] ?? 0) + weight;
    }
  const rounded = weights.map((row) => row.map((weight) => Number(weight.toPrecision(3))));
  return { rows, weights: rounded, most: Math.max(...rounded.flat()) };
}

/** The shortest whole duration of a bucket. */
function beginOf(bucket: number): number {
  return bucket <= EMPTY_BUCKET ? 0 : Math.ceil(BUCKET_GROWTH ** bucket);
}

/** The number of shades of a map. The first one stands for the smallest weights. */
export const SHADES = 6;

/** The shade of a cell, from 0. It grows faster for small weights, so that a few spans still show beside many. */
export function toShade(weight: number, most: number): number {
  return Math.min(SHADES - 1, Math.floor((weight / most) ** 0.55 * SHADES));
}
