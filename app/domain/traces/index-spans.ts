/** Index of the first span with each id, or -1. */
export type FindId = (low: number, high: number) => number;

export interface SpanIndex {
  find: FindId;
  /** By index: 0 for the first span with an id, then 2, 3, … for further spans with the same id. Null: all ids differ. */
  places: Uint32Array | null;
}

const FREE = -1;

/**
 * A hash table without an object for each id: a `Map` of a million BigInts takes seconds. Its multipliers are random, so that nobody
 * can send ids that meet in one place.
 */
export function indexSpans(ids: BigUint64Array): SpanIndex {
  const halves = toHalves(ids);
  const bits = Math.max(4, Math.ceil(Math.log2(ids.length + 1)) + 1);
  const mask = 2 ** bits - 1;
  const table = new Int32Array(mask + 1).fill(FREE);
  const [one, other] = crypto.getRandomValues(new Uint32Array(2)).map((number) => number | 1) as Uint32Array;
  const slotOf = (low: number, high: number) => {
    const mixed = Math.imul(low, one as number) ^ Math.imul(high, other as number);
    return Math.imul(mixed ^ (mixed >>> 15), one as number) >>> (32 - bits);
  };
  const find: FindId = (low, high) => {
    for (let at = slotOf(low, high); ; at = (at + 1) & mask) {
      const index = table[at] as number;
      if (index === FREE || (halves[2 * index] === low && halves[2 * index + 1] === high)) return index;
    }
  };
  let places: Uint32Array | null = null;
  let counts: Uint32Array | null = null;
  for (let index = 0; index < ids.length; index++) {
    const [low, high] = [halves[2 * index] as number, halves[2 * index + 1] as number];
    let at = slotOf(low, high);
    while (table[at] !== FREE && !isSame(halves, table[at] as number, index)) at = (at + 1) & mask;
    const first = table[at] as number;
    if (first === FREE) table[at] = index;
    else {
      places ??= new Uint32Array(ids.length);
      counts ??= new Uint32Array(ids.length).fill(1);
      const place = (counts[first] as number) + 1;
      places[index] = place;
      counts[first] = place;
    }
  }
  return { find, places };
}

function isSame(halves: Uint32Array, one: number, other: number): boolean {
  return halves[2 * one] === halves[2 * other] && halves[2 * one + 1] === halves[2 * other + 1];
}

/** Each id as its lower and its upper 32 bits, in the same memory. */
export function toHalves(ids: BigUint64Array): Uint32Array {
  return new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
}
