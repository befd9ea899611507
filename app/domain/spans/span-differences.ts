import { isWithin, type NumberBounds, toNumberRanges } from "../number-ranges.ts";

/** Smaller differences, in percentage points, are not shown. */
export const MIN_POINTS = 5;
/** A list that somebody reads. */
const MAX_DIFFERENCES = 30;

interface Side {
  spans: number;
  weight: number;
}

interface Sides {
  selected: Side;
  rest: Side;
}

interface Totals {
  selectedWeight: number;
  restWeight: number;
}

/** A value of a key, or a range of its numbers, with the share of spans that have it on both sides. */
export interface SpanDifference {
  key: string;
  value: string | NumberBounds;
  /** From 0 to 1. Each span counts as often as its sampling rate says. */
  selectedShare: number;
  restShare: number;
  /** Spans that were read and have it. */
  selectedSpans: number;
  restSpans: number;
  /** Difference of the shares in points of percent; below zero: rarer in the selection. */
  points: number;
}

/**
 * Finds, for each key, the value whose shares differ most, largest difference first. Keys of `numbers` have ranges instead of values.
 * `otherKeys` counts the keys that are left out.
 */
export function findDifferences(
  {
    values,
    numbers,
  }: {
    values: ReadonlyArray<{ key: string; value: string } & Sides>;
    numbers: ReadonlyArray<{ key: string; number: number } & Sides>;
  },
  totals: Totals,
): { differences: SpanDifference[]; otherKeys: number } {
  const byKey = new Map<string, SpanDifference>();
  for (const { key, value, selected, rest } of [...values, ...toRanges(numbers, totals)]) {
    const [selectedShare, restShare] = [share(selected, totals.selectedWeight), share(rest, totals.restWeight)];
    const points = (selectedShare - restShare) * 100;
    const difference = {
      key,
      value,
      selectedShare,
      restShare,
      selectedSpans: selected.spans,
      restSpans: rest.spans,
      points,
    };
    const known = byKey.get(key);
    if (known === undefined || isLarger(difference, known)) byKey.set(key, difference);
  }
  const all = [...byKey.values()].sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
  const differences = all.filter(({ points }) => Math.abs(points) >= MIN_POINTS).slice(0, MAX_DIFFERENCES);
  return { differences, otherKeys: all.length - differences.length };
}

/** The ranges of each key. Both sides count the same, however many spans they have. */
function toRanges(
  numbers: ReadonlyArray<{ key: string; number: number } & Sides>,
  { selectedWeight, restWeight }: Totals,
): Array<{ key: string; value: NumberBounds } & Sides> {
  return [...Map.groupBy(numbers, ({ key }) => key)].flatMap(([key, found]) => {
    const weighed = found.map(
      ({ number, selected, rest }) => [number, share(selected, selectedWeight) + share(rest, restWeight)] as const,
    );
    return toNumberRanges(weighed).map(({ from, to }) => {
      const inside = found.filter(({ number }) => isWithin(number, { from, to }));
      const sum = (side: keyof Sides): Side => ({
        spans: inside.reduce((total, each) => total + each[side].spans, 0),
        weight: inside.reduce((total, each) => total + each[side].weight, 0),
      });
      return { key, value: { from, to }, selected: sum("selected"), rest: sum("rest") };
    });
  });
}

/**
 * Whether the first difference is larger. If they are nearly equal, one value replaces the other, and the value that is more frequent
 * in the selection wins.
 */
function isLarger(one: SpanDifference, other: SpanDifference): boolean {
  const [size, otherSize] = [Math.abs(one.points), Math.abs(other.points)];
  return Math.abs(size - otherSize) < 1 ? one.points > other.points : size > otherSize;
}

function share({ weight }: Side, total: number): number {
  return total > 0 ? weight / total : 0;
}
