import type { KnownValue, SearchValues, ValueCount } from "./search-values.ts";

/** The number of values that the list under the field shows. */
export const MAX_VALUES = 10;
const MAX_TEXT_LENGTH = 250;
const MAX_KEY_LENGTH = 200;

export function isTooLong(key: string | null, text: string): boolean {
  return text.length > MAX_TEXT_LENGTH || (key?.length ?? 0) > MAX_KEY_LENGTH;
}

/** Values that contain the letters, ignoring case; those that begin with them come first. */
export function rankByLetters<Counted extends { value: string }>(counted: readonly Counted[], text: string): Counted[] {
  const letters = text.toLowerCase();
  const matching = counted.filter(({ value }) => value.toLowerCase().includes(letters));
  const begins = matching.filter(({ value }) => value.toLowerCase().startsWith(letters));
  const holds = matching.filter(({ value }) => !value.toLowerCase().startsWith(letters));
  return [...begins, ...holds];
}

/**
 * Converts values, which are in the order of the list.
 * @param options.isWhole whether there are no other values
 */
export function toSearchValues(
  counted: ReadonlyArray<{ value: string; count: number }>,
  {
    text,
    limit = MAX_VALUES,
    isWhole,
    toCount,
  }: { text: string; limit?: number; isWhole: boolean; toCount: (count: number, value: string) => ValueCount },
): SearchValues {
  const matching = rankByLetters(counted, text);
  const values = matching
    .slice(0, limit)
    .map(({ value, count }): KnownValue => ({ value, counted: toCount(count, value) }));
  return { values, isAll: isWhole && matching.length <= limit };
}
