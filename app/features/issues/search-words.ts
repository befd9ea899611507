/** Keys of the issue search, besides those of releases and of events. */
export const SEARCH_KEYS = ["is", "level", "project", "environment"] as const;
export type SearchKey = (typeof SEARCH_KEYS)[number];

/** All keys, for messages: those that name releases too, which `takeReleaseWords` reads. */
export const KEY_WORDS = `${SEARCH_KEYS.map((key) => `${key}:`).join(", ")}, release:, first-release:, user:, trace: and the tags of events`;

/** `plan:pro`, `!user.id:42`. A colon before a blank, a slash or another colon is text: `TypeError: x`, `http://…`, `std::x`. */
const OTHER_KEY = /^!?([a-z][\w.-]+):(?=[^\s/:\\])/i;

/** A word of the search, with its place in it: characters, the end exclusive. */
export interface SearchWord {
  start: number;
  end: number;
  /** Null for free text, and for other keys. */
  key: SearchKey | null;
  /** The word before the colon, as typed, if it is not one of the keys above: a tag, or a mistake. */
  otherKey: string | null;
  /** Whether `!` stands before the key: what matches is left out. */
  isNegated: boolean;
  /** Without quotes; of free text the whole word. */
  value: string;
  /** Whether the text or the value stands in quotes. */
  isQuoted: boolean;
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
  "key" | "otherKey" | "isNegated" | "value" | "isQuoted"
> {
  if (quoted !== undefined) return { key: null, otherKey: null, isNegated: false, value: quoted, isQuoted: true };
  const colon = whole.indexOf(":");
  const head = quotedHead ?? (colon < 0 ? "" : whole.slice(0, colon));
  const value = quotedValue ?? whole.slice(colon + 1);
  const isNegated = head.startsWith("!");
  const name = head.slice(isNegated ? 1 : 0).toLowerCase();
  const key = SEARCH_KEYS.find((known) => known === name);
  const isQuoted = quotedHead !== undefined;
  if (key) return { key, otherKey: null, isNegated, value, isQuoted };
  const [, otherKey] = OTHER_KEY.exec(whole) ?? [];
  if (otherKey !== undefined) return { key: null, otherKey, isNegated, value, isQuoted };
  return { key: null, otherKey: null, isNegated: false, value: isQuoted ? `${head}:${value}` : whole, isQuoted };
}
