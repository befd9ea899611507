/** One value of two events, as text. Null: the event does not have the value. */
export interface ComparedValue {
  name: string;
  left: string | null;
  right: string | null;
  isSame: boolean;
}

/** Values that belong together, like those of a frame. */
export interface ComparedGroup {
  title: string | null;
  /** The events that have the group. */
  side: "both" | "left" | "right";
  values: ComparedValue[];
}

/** Names and values of one event. */
export type FlatValues = ReadonlyMap<string, string>;

/** The highest number of values per event that a group compares. */
export const MAX_VALUES = 500;
/** More levels than normalisation keeps. */
const MAX_DEPTH = 12;
const MAX_SHOWN = 1_000;

/** The leaves of JSON values by their paths, like `cart.items.0.price`. Undefined and null values are left out. */
export function flattenValues(values: Readonly<Record<string, unknown>>): Map<string, string> {
  const flat = new Map<string, string>();
  const add = (path: string, value: unknown, depth: number): void => {
    if (value === undefined || value === null || flat.size >= MAX_VALUES) return;
    const entries = typeof value === "object" ? Object.entries(value) : [];
    if (typeof value !== "object") flat.set(path, String(value));
    else if (entries.length === 0) flat.set(path, Array.isArray(value) ? "[]" : "{}");
    else if (depth >= MAX_DEPTH) flat.set(path, JSON.stringify(value));
    else for (const [key, each] of entries) add(`${path}.${key}`, each, depth + 1);
  };
  for (const [key, value] of Object.entries(values)) add(key, value, 1);
  return flat;
}

/** Turns pairs into a map. A repeated name gets a number. */
export function flattenPairs(pairs: ReadonlyArray<readonly [name: string, value: unknown]>): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of pairs.slice(0, MAX_VALUES)) {
    let unused = name;
    for (let count = 2; flat.has(unused); count++) unused = `${name} (${count})`;
    flat.set(unused, typeof value === "string" ? value : JSON.stringify(value));
  }
  return flat;
}

/** Compares values by name, in the order of the left event. Values that only the right event has come last. */
export function compareValues(left: FlatValues, right: FlatValues): ComparedValue[] {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].map((name) => {
    const [one = null, other = null] = [left.get(name), right.get(name)];
    return { name, left: cut(one), right: cut(other), isSame: one === other };
  });
}

/** One group with the values of both events. Empty if neither has a value. */
export function compareGroup(title: string | null, left: FlatValues, right: FlatValues): ComparedGroup[] {
  if (left.size === 0 && right.size === 0) return [];
  const side = title === null || (left.size > 0 && right.size > 0) ? "both" : left.size > 0 ? "left" : "right";
  return [{ title, side, values: compareValues(left, right) }];
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN).toWellFormed()}… (${text.length.toLocaleString("en")} characters)`;
}

/** A text in three parts: what two texts share at their ends, and the difference between. */
export interface MarkedText {
  before: string;
  differing: string;
  after: string;
}

/** Characters. Fewer common ones are considered chance. */
const MIN_COMMON = 3;

/** Marks the difference within two texts. Null: they have too little in common. */
export function markDifference(left: string, right: string): { left: MarkedText; right: MarkedText } | null {
  const one = [...left];
  const other = [...right];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  if (start + end < MIN_COMMON) return null;
  const split = (text: string[]): MarkedText => ({
    before: text.slice(0, start).join(""),
    differing: text.slice(start, text.length - end).join(""),
    after: text.slice(text.length - end).join(""),
  });
  return { left: split(one), right: split(other) };
}
