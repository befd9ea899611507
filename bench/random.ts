/** Numbers that are the same in every run with the same seed. */
export interface Random {
  /** From 0 (inclusive) to 1. */
  next(): number;
  /** From 0 to `below` (exclusive), whole. */
  whole(below: number): number;
  /** @throws when the list is empty. */
  pick<Value>(list: readonly Value[]): Value;
  hex(length: number): string;
}

/** Mulberry32, by Tommy Ettinger, public domain: 32 bits of state are plenty for made-up events. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number) => Math.floor(next() * below);
  return {
    next,
    whole,
    pick(list) {
      const value = list[whole(list.length)];
      if (value === undefined) throw new Error("there is nothing to pick from");
      return value;
    },
    hex(length) {
      let text = "";
      while (text.length < length) text += whole(0x1_0000_0000).toString(16).padStart(8, "0");
      return text.slice(0, length);
    },
  };
}
