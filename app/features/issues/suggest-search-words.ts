import { LEVELS } from "../../domain/level.ts";
import { SEARCH_KEYS, type SearchKey, splitSearch } from "./search-words.ts";

/** Replaces the word at the caret once it is picked. */
export interface SearchSuggestion {
  /** `key`: a value is still to come. `recent`: takes the place of the whole search. */
  kind: "key" | "value" | "recent";
  text: string;
  /** Says what it finds; empty where the text says it. */
  meaning: string;
}

export interface SearchSuggestions {
  /** The part of the search that a pick replaces: characters, the end exclusive. */
  from: number;
  to: number;
  list: SearchSuggestion[];
  /** The typed part of a version in lower case, where releases are offered; null: none is typed. */
  versionLetters: string | null;
}

/** Values that can be suggested. */
export interface SearchData {
  projects: ReadonlyArray<{ slug: string; name: string }>;
  environments: readonly string[];
  /** Versions that are known to hold these letters, in the order in which they are offered. */
  findVersions: (letters: string) => readonly string[];
  /** Earlier searches, the latest first. */
  recent: readonly string[];
}

const KEY_MEANINGS: Record<SearchKey, string> = {
  is: "status, and what happened to it",
  level: "severity of its latest event",
  project: "where it comes from",
  environment: "where it has happened",
};
/** Keys of versions, which are too many to come with the page. */
const RELEASE_MEANINGS: ReadonlyArray<[key: string, meaning: string]> = [
  ["release", "with events of a version"],
  ["first-release", "new in a version"],
];
/** Keys whose values are not known ahead. */
const EVENT_MEANINGS: ReadonlyArray<[key: string, meaning: string]> = [
  ["user", "with events of a user"],
  ["trace", "with events of a trace"],
];
const IS_MEANINGS: ReadonlyArray<[value: string, meaning: string]> = [
  ["unresolved", "nobody has dealt with it"],
  ["new", "first seen in the last 7 days"],
  ["ongoing", "unresolved for longer than 7 days"],
  ["regressed", "came back after it was resolved"],
  ["resolved", "dealt with"],
  ["archived", "put away"],
  ["unhandled", "broke through to the user"],
  ["handled", "was caught"],
];
/** A person reads no more; further letters narrow it down. */
const MAX_VALUES = 12;
const MAX_RECENT = 5;
/** From so many letters on, values are offered without their key: `unh` for `is:unhandled`. */
const MIN_VALUE_LETTERS = 2;

/** Suggestions for the word that the caret is in or after. `caret` counts characters from the start. */
export function suggestSearchWords(search: string, caret: number, data: SearchData): SearchSuggestions {
  const word = splitSearch(search).find(({ start, end }) => start < caret && caret <= end);
  const typed = word ? search.slice(word.start, caret) : "";
  const place = { from: word?.start ?? caret, to: word?.end ?? caret };
  const [, sign = "", rest = ""] = /^(!?)(.*)$/s.exec(typed) ?? [];
  const colon = rest.indexOf(":");
  const key = SEARCH_KEYS.find((known) => colon >= 0 && known === rest.slice(0, colon).toLowerCase());
  // An issue may be in several environments: leaving one out has no meaning.
  if (key && !(sign && key === "environment")) {
    const letters = rest
      .slice(colon + 1)
      .replace(/^"/, "")
      .toLowerCase();
    const values = rank(key, listValues(key, data), letters).slice(0, MAX_VALUES);
    const list = values.map(([value, meaning]) => toSuggestion(sign, key, value, meaning));
    return { ...place, list: withoutTyped(list, search.slice(place.from, place.to)), versionLetters: null };
  }
  const releaseKey = RELEASE_MEANINGS.find(([name]) => colon >= 0 && name === rest.slice(0, colon).toLowerCase())?.[0];
  if (releaseKey && !sign) {
    const versionLetters = rest
      .slice(colon + 1)
      .replace(/^"/, "")
      .toLowerCase();
    const list = data
      .findVersions(versionLetters)
      .filter((version) => !version.includes('"'))
      .map((version) => toSuggestion("", releaseKey, version, ""));
    return { ...place, list: withoutTyped(list, search.slice(place.from, place.to)), versionLetters };
  }
  if (colon >= 0 || rest.startsWith('"')) return { ...place, list: [], versionLetters: null };
  const letters = rest.toLowerCase();
  const keys = SEARCH_KEYS.filter((known) => known.startsWith(letters) && !(sign && known === "environment"));
  const list: SearchSuggestion[] = keys.map((known) => ({
    kind: "key",
    text: `${sign}${known}:`,
    meaning: sign ? `leaves out: ${KEY_MEANINGS[known]}` : KEY_MEANINGS[known],
  }));
  if (!sign) {
    const others = [...RELEASE_MEANINGS, ...EVENT_MEANINGS].filter(([name]) => name.startsWith(letters));
    list.push(...others.map(([name, meaning]): SearchSuggestion => ({ kind: "key", text: `${name}:`, meaning })));
  }
  if (letters.length >= MIN_VALUE_LETTERS) {
    for (const known of ["is", "level"] as const) {
      const values = listValues(known, data).filter(([value]) => value.startsWith(letters));
      list.push(...values.map(([value, meaning]) => toSuggestion(sign, known, value, meaning)));
    }
  }
  if (typed === "") {
    const others = data.recent.filter((recent) => recent !== search.trim()).slice(0, MAX_RECENT);
    list.push(...others.map((text): SearchSuggestion => ({ kind: "recent", text, meaning: "recent search" })));
  }
  return { ...place, list, versionLetters: null };
}

/** Nothing to suggest when the only match is typed already. */
function withoutTyped(list: SearchSuggestion[], word: string): SearchSuggestion[] {
  return list.length === 1 && list[0]?.text === word ? [] : list;
}

/** The search with the suggestion in it, and where the caret stands then. */
export function applySuggestion(
  search: string,
  { from, to }: Pick<SearchSuggestions, "from" | "to">,
  { kind, text }: SearchSuggestion,
): { search: string; caret: number } {
  if (kind === "recent") return { search: text, caret: text.length };
  const after = search.slice(to);
  const blank = kind === "value" && !/^\s/.test(after) ? " " : "";
  const before = search.slice(0, from) + text + blank;
  return { search: before + after, caret: before.length };
}

function listValues(key: SearchKey, data: SearchData): ReadonlyArray<[value: string, meaning: string]> {
  switch (key) {
    case "is":
      return IS_MEANINGS;
    case "level":
      return [...LEVELS].reverse().map((level) => [level, ""]);
    case "project":
      return data.projects.map(({ slug, name }) => [slug, name === slug ? "" : name]);
    case "environment":
      // A quote within quotes cannot be written.
      return data.environments.filter((name) => !name.includes('"')).map((name) => [name, ""]);
  }
}

/** Those that begin with the letters, then those that hold them, in the order they came; projects by their name, too. */
function rank(key: SearchKey, values: ReadonlyArray<[value: string, meaning: string]>, letters: string) {
  const begins = values.filter(([value]) => value.toLowerCase().startsWith(letters));
  const holds = values.filter(
    ([value, meaning]) =>
      !value.toLowerCase().startsWith(letters) &&
      (key === "project" ? `${value} ${meaning}` : value).toLowerCase().includes(letters),
  );
  return [...begins, ...holds];
}

function toSuggestion(sign: string, key: string, value: string, meaning: string): SearchSuggestion {
  const said = /\s/.test(value) ? `"${value}"` : value;
  return { kind: "value", text: `${sign}${key}:${said}`, meaning };
}
