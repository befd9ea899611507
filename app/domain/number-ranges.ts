import { weightedQuantile } from "./spans/duration-histogram.ts";

/** Of numbers from `from` up to, but not including, `to`. Null: no such bound. */
export interface NumberBounds {
  from: number | null;
  to: number | null;
}

export interface NumberRange extends NumberBounds {
  /** Share of all numbers in this range, from 0 to 1. Numbers close to a bound may count on its other side. */
  share: number;
}

/** Bounds between ranges. */
const MAX_BOUNDS = 7;
/**
 * If the 90th percentile is more than this many times the 10th, ranges get wider as numbers get larger. With equal widths, nearly
 * all numbers would be in one range.
 */
const WIDE = 15;
/** Share of numbers at each end that bounds ignore: one odd number must not put all others into one range. */
const OUTER_SHARE = 0.02;

/** Ranges with round bounds, in ascending order. Empty if the numbers are too close together. */
export function toNumberRanges(values: ReadonlyArray<readonly [number: number, weight: number]>): NumberRange[] {
  const low = weightedQuantile(values, OUTER_SHARE) ?? 0;
  const high = weightedQuantile(values, 1 - OUTER_SHARE) ?? 0;
  const smallest = Math.min(...values.flatMap(([value]) => (value > 0 ? value : [])));
  const lowest = low > 0 ? low : smallest;
  const tenth = weightedQuantile(values, 0.1) ?? 0;
  const isWide = low >= 0 && (weightedQuantile(values, 0.9) ?? 0) / (tenth > 0 ? tenth : lowest) > WIDE;
  const series = isWide ? listPowers(lowest, high) : listMultiples(low, high);
  // The finest series with few enough bounds. A number with an exponent is not round for readers.
  const bounds =
    series.find((each) => each.length <= MAX_BOUNDS)?.filter((bound) => !String(bound).includes("e")) ?? [];
  if (bounds.length === 0) return [];
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  return [null, ...bounds].map((from, index) => {
    const to = bounds[index] ?? null;
    const inside = values.filter(([value]) => isWithin(value, { from, to }));
    return { from, to, share: inside.reduce((sum, [, weight]) => sum + weight, 0) / total };
  });
}

export function isWithin(number: number, { from, to }: NumberBounds): boolean {
  return (from === null || number >= from) && (to === null || number < to);
}

/** 1, 2 and 5 times the powers of ten; then 1 and 5 times; then fewer powers. */
function listPowers(low: number, high: number): number[][] {
  const exponents = { from: Math.floor(Math.log10(low)), to: Math.ceil(Math.log10(high)) };
  const list = (factors: readonly number[], step: number) => {
    const bounds: number[] = [];
    for (let exponent = Math.ceil(exponents.from / step) * step; exponent <= exponents.to; exponent += step)
      bounds.push(...factors.map((factor) => toRound(factor, exponent)));
    return bounds.filter((bound) => bound > low && bound <= high);
  };
  return [list([1, 2, 5], 1), list([1, 5], 1), ...[1, 2, 3, 5, 10, 20, 50, 100].map((step) => list([1], step))];
}

/** Multiples of 1, 2 and 5 times powers of ten. */
function listMultiples(low: number, high: number): number[][] {
  if (!(high > low)) return [];
  const exponent = Math.floor(Math.log10(high - low)) - 1;
  const steps = [0, 1, 2].flatMap((more) => [1, 2, 5].map((factor) => ({ factor, exponent: exponent + more })));
  return steps.map(({ factor, exponent }) => {
    const step = toRound(factor, exponent);
    const bounds: number[] = [];
    for (let index = Math.floor(low / step) + 1; bounds.length <= MAX_BOUNDS; index++) {
      const bound = toRound(factor * index, exponent);
      if (bound > high) break;
      bounds.push(bound);
    }
    return bounds;
  });
}

/** The number as it is written: `0.3`, whereas 3 times 0.1 is a little more. */
function toRound(factor: number, exponent: number): number {
  return Number(`${factor}e${exponent}`);
}
