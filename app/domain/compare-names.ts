import { foldText } from "./search/fold-text.ts";

/** JavaScript's own numbers have as many digits; longer runs of digits still sort, as text. */
const DIGITS = 16;

/** The key by which names are sorted: `Rule 2` comes before `Rule 10`, case makes no difference, and `Ä` is beside `A`. */
export function toNameKey(name: string): string {
  const letters = name.normalize("NFD").replace(/\p{M}+/gu, "");
  return foldText(letters).replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, "").padStart(DIGITS, "0"));
}

/** A comparison for `sort`. */
export function compareNames(one: string, other: string): number {
  const [first, second] = [toNameKey(one), toNameKey(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The same order for a long list: the key of each name is made once. */
export function sortByName<T extends { name: string }>(list: readonly T[]): T[] {
  const keyed = list.map((item) => ({ item, key: toNameKey(item.name) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
