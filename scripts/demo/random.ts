/** A random number from 0 (inclusive) to 1 (exclusive), and values derived from it. */
export interface Random {
  next(): number;
  between(low: number, high: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** This many hexadecimal digits. */
  hex(length: number): string;
}

/** Returns the same numbers every time, so that pictures of two runs can be compared. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number],
    // The low bits of this generator repeat soon.
    hex: (length) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(""),
  };
}
