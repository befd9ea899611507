/** Values of fewer points are no news. */
export const MIN_POINTS = 5;
/** A list that somebody reads. */
const MAX_DIFFERENCES = 30;

interface Side {
  spans: number;
  weight: number;
}

/** A value of a key, with the share of spans that have it on both sides. */
export interface SpanDifference {
  key: string;
  value: string;
  /** From 0 to 1, each span as often as its sampling rate says. */
  selectedShare: number;
  restShare: number;
  /** Spans that were read and have it. */
  selectedSpans: number;
  restSpans: number;
  /** Difference of the shares in points of percent; below zero: rarer in the selection. */
  points: number;
}

/** For each key the value whose shares differ most, those of most points first; and how many further keys differ by less. */
export function findDifferences(
  values: ReadonlyArray<{ key: string; value: string; selected: Side; rest: Side }>,
  totals: { selectedWeight: number; restWeight: number },
): { differences: SpanDifference[]; otherKeys: number } {
  const byKey = new Map<string, SpanDifference>();
  for (const { key, value, selected, rest } of values) {
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

/** Of two values that take each other's place, the one that the selection has more often. */
function isLarger(one: SpanDifference, other: SpanDifference): boolean {
  const [size, otherSize] = [Math.abs(one.points), Math.abs(other.points)];
  return Math.abs(size - otherSize) < 1 ? one.points > other.points : size > otherSize;
}

function share({ weight }: Side, total: number): number {
  return total > 0 ? weight / total : 0;
}
