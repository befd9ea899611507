import { refusal } from "./answers.ts";
import { requireCursor } from "./query.ts";

/** One part of a search of a short list that is filtered in memory: `name:Pay`, `!type:error`, `"two words"`. */
const PART = /(!?)(?:(\w+):)?("(?:[^"\\]|\\.)*"|[^\s"]+)(?:\s+|$)/y;

/**
 * Reads a search of a short list. Returns a test whether an item matches all parts of the search. A word without a key, and the value of
 * `name`, must be in the item's name. The value of any other key must be the whole value. Case does not matter.
 * @throws a 400 answer for a key that is not one of `keys`.
 */
export function readListedQuery<Key extends string>(
  text: string,
  keys: readonly Key[],
): (item: Record<Key | "name", string>) => boolean {
  const parts: Array<{ isNegated: boolean; key: Key | "name"; value: string }> = [];
  const query = text.trim();
  PART.lastIndex = 0;
  while (PART.lastIndex < query.length) {
    const at = PART.lastIndex;
    const found = PART.exec(query);
    if (found === null) throw refusal(400, `query: cannot be read from "${query.slice(at, at + 40)}" on`);
    const [, negation, key = "name", raw = ""] = found;
    if (key !== "name" && !keys.includes(key as Key))
      throw refusal(400, `query: ${key.slice(0, 40)} is not known. Known are ${["name", ...keys].join(", ")}.`);
    const value = raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, "$1") : raw;
    parts.push({ isNegated: negation === "!", key: key as Key | "name", value: value.toLowerCase() });
  }
  return (item) =>
    parts.every(({ isNegated, key, value }) => {
      const own = item[key].toLowerCase();
      return (key === "name" ? own.includes(value) : own === value) !== isNegated;
    });
}

/**
 * Sorts by the field that a query names; with `-`, the greatest comes first. Items with equal values are sorted by id.
 * @throws a 400 answer for an unknown field.
 */
export function sortListed<Item extends { id: string }>(
  items: readonly Item[],
  sortBy: string,
  fields: Readonly<Record<string, (item: Item) => string | number>>,
): Item[] {
  const isDescending = sortBy.startsWith("-");
  const name = isDescending ? sortBy.slice(1) : sortBy;
  const field = name === "id" ? ({ id }: Item) => Number(id) : Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) throw refusal(400, `sortBy: must be one of ${["id", ...Object.keys(fields)].join(", ")}`);
  const sorted = items.toSorted((one, other) => {
    const [first, second] = [field(one), field(other)];
    if (first === second) return Number(one.id) - Number(other.id);
    return first < second ? -1 : 1;
  });
  return isDescending ? sorted.reverse() : sorted;
}

/** One page of a list in memory. Its cursor is the number of items before it. @throws a 400 answer for a cursor that no answer gave. */
export function toListedPage<Item>(
  items: readonly Item[],
  { cursor, limit }: { cursor: string | null; limit: number },
): { items: Item[]; previousCursor: string | null; nextCursor: string | null } {
  requireCursor(cursor, (text) => (/^\d{1,6}$/.test(text) ? text : null));
  const from = Number(cursor ?? 0);
  return {
    items: items.slice(from, from + limit),
    previousCursor: from === 0 ? null : String(Math.max(0, from - limit)),
    nextCursor: from + limit < items.length ? String(from + limit) : null,
  };
}
