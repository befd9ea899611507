import type { NumberBounds } from "../../domain/number-ranges.ts";
import { printSearchKey } from "../../domain/search/search-key.ts";
import { addToSearch, hasFilter } from "./add-to-search.ts";

/** The search with a range of a key's numbers, which replaces other bounds of that key. If the range was there, it is removed. */
export function toggleRange(search: string, key: string, range: NumberBounds): string {
  const rest = withoutBounds(search, key);
  return isInRange(search, key, range) ? rest : addToSearch(rest, ...toBounds(key, range));
}

/** Whether the search has the bounds of this range and no others. */
export function isInRange(search: string, key: string, range: NumberBounds): boolean {
  const bounds = toBounds(key, range);
  const without = withoutBounds(search, key);
  return (
    search !== "" &&
    [without, ...bounds].filter(Boolean).join(" ").length === search.length &&
    bounds.every((word) => hasFilter(search, word))
  );
}

/** A range in words: `20 to 50`. */
export function sayRange({ from, to }: NumberBounds): string {
  const say = (bound: number) => bound.toLocaleString("en", { maximumFractionDigits: 12 });
  if (from === null) return to === null ? "any" : `under ${say(to)}`;
  return to === null ? `${say(from)} and more` : `${say(from)} to ${say(to)}`;
}

function toBounds(key: string, { from, to }: NumberBounds): string[] {
  const name = printSearchKey({ key, isTag: false });
  return [...(from === null ? [] : [`${name}:>=${from}`]), ...(to === null ? [] : [`${name}:<${to}`])];
}

function withoutBounds(search: string, key: string): string {
  const start = `${printSearchKey({ key, isTag: false })}:`.replace(/[^\w\s]/gu, "\\$&");
  const bounds = new RegExp(`(?<=^|\\s)${start}[<>]=?[\\d.+-]+(?:\\s+|$)`, "g");
  // Quoted text is not changed.
  const isText = (at: number) => search.slice(0, at).replaceAll('\\"', "").split('"').length % 2 === 0;
  return search.replace(bounds, (found, at: number) => (isText(at) ? found : "")).trim();
}
