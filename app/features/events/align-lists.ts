/** A pair of elements of two lists, or an element that only one of them has. */
export type AlignedPair<Value> =
  | { left: Value; right: Value }
  | { left: Value; right: null }
  | { left: null; right: Value };

/**
 * Pairs the elements of two lists: as many elements with the same key as possible, in the order of both lists. Elements between two
 * pairs are paired by the next key. The time that it takes grows with the product of the lengths.
 */
export function alignLists<Value>(
  left: readonly Value[],
  right: readonly Value[],
  keysOf: ReadonlyArray<(value: Value) => string>,
): Array<AlignedPair<Value>> {
  const [keyOf, ...others] = keysOf;
  if (keyOf === undefined || left.length === 0 || right.length === 0)
    return [
      ...left.map((value): AlignedPair<Value> => ({ left: value, right: null })),
      ...right.map((value): AlignedPair<Value> => ({ left: null, right: value })),
    ];
  const pairs: Array<AlignedPair<Value>> = [];
  let [fromLeft, fromRight] = [0, 0];
  for (const [atLeft, atRight] of [
    ...findCommon(left.map(keyOf), right.map(keyOf)),
    [left.length, right.length],
  ] as const) {
    pairs.push(...alignLists(left.slice(fromLeft, atLeft), right.slice(fromRight, atRight), others));
    if (atLeft < left.length) pairs.push({ left: left[atLeft] as Value, right: right[atRight] as Value });
    [fromLeft, fromRight] = [atLeft + 1, atRight + 1];
  }
  return pairs;
}

/** Indexes of a longest common subsequence. */
function findCommon(left: readonly string[], right: readonly string[]): Array<[left: number, right: number]> {
  const width = right.length + 1;
  // The number of common elements from an index of both lists on.
  const counts = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number) => counts[i * width + j] as number;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      counts[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const common: Array<[number, number]> = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) common.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return common;
}
