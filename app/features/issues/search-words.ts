/** Keys that a search may have. Any other word before a colon is part of the text: `TypeError: x`, `http://…`. */
export const SEARCH_KEYS = ["is", "level", "project", "environment"] as const;
export type SearchKey = (typeof SEARCH_KEYS)[number];

/** All keys, for messages: those that name releases too, which `takeReleaseWords` reads. */
export const KEY_WORDS = `${SEARCH_KEYS.map((key) => `${key}:`).join(", ")}, release: and first-release:`;

/** A word of the search, with its place in it: characters, the end exclusive. */
export interface SearchWord {
  start: number;
  end: number;
  /** Null for free text. */
  key: SearchKey | null;
  /** Whether `!` stands before the key: what matches is left out. */
  isNegated: boolean;
  /** Without quotes; of free text the whole word. */
  value: string;
}

/**
 * Words are apart by blanks. Quotes keep blanks together (`"not found"`, `environment:"eu west"`), and keep a colon from
 * being read as a key.
 */
export function splitSearch(search: string): SearchWord[] {
  return [...search.matchAll(/"([^"]*)"?|([^\s":]+):"([^"]*)"?|(\S+)/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    ...readWord(match),
  }));
}

function readWord([whole, quoted, quotedHead, quotedValue]: RegExpExecArray): Pick<
  SearchWord,
  "key" | "isNegated" | "value"
> {
  if (quoted !== undefined) return { key: null, isNegated: false, value: quoted };
  const colon = whole.indexOf(":");
  const head = quotedHead ?? (colon < 0 ? "" : whole.slice(0, colon));
  const value = quotedValue ?? whole.slice(colon + 1);
  const isNegated = head.startsWith("!");
  const name = head.slice(isNegated ? 1 : 0).toLowerCase();
  const key = SEARCH_KEYS.find((known) => known === name);
  if (key) return { key, isNegated, value };
  return { key: null, isNegated: false, value: quotedHead === undefined ? whole : `${head}:${value}` };
}
