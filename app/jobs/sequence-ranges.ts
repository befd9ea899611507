type Range = [from: number, to: number];

/**
 * Adds a range (from inclusive, to exclusive) to others, in place. Returns a test whether a sequence was in one of the ranges before.
 * Ranges that touch are joined.
 */
export function takeRange(ranges: Range[], { from, to }: { from: number; to: number }): (sequence: number) => boolean {
  const met = ranges.filter((range) => range[0] <= to && range[1] >= from);
  const before = met.map(([start, end]): Range => [start, end]);
  const merged: Range = [from, to];
  for (const [start, end] of met) {
    merged[0] = Math.min(merged[0], start);
    merged[1] = Math.max(merged[1], end);
  }
  const others = ranges.filter((range) => !met.includes(range));
  ranges.splice(0, ranges.length, ...[...others, merged].sort((a, b) => a[0] - b[0]));
  return (sequence) => before.some(([start, end]) => sequence >= start && sequence < end);
}
