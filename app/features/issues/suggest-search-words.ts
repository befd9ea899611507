import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { printValue, toSearchValue } from "../../domain/search/print-search.ts";
import { findField, type SearchField } from "../../domain/search/search-field.ts";
import { findTokenAt, type TypedToken } from "../../domain/search/token-at.ts";

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

type Values = ReadonlyArray<[value: string, meaning: string]>;

/** A person reads no more; further letters narrow it down. */
const MAX_SUGGESTIONS = 12;
const MAX_RECENT = 5;
/** From so many letters on, values are offered without their key: `unh` for `is:unhandled`. */
const MIN_VALUE_LETTERS = 2;
/** Offered first; the others come with their first letters. */
const COMMON_KEYS = ["is", "level", "project", "environment", "release", "first-release", "user", "trace"];

const FIELDS: readonly SearchField[] = [
  ...COMMON_KEYS.flatMap((key) => findField(ISSUE_VOCABULARY, key) ?? []),
  ...ISSUE_VOCABULARY.fields.filter(({ key }) => !COMMON_KEYS.includes(key)),
];

/** Suggestions for what the caret is in or after. `caret` counts characters from the start. */
export function suggestSearchWords(search: string, caret: number, data: SearchData): SearchSuggestions {
  const token = findTokenAt(search, caret);
  const place = { from: token.from, to: token.to };
  if (token.key !== null) {
    const field = findField(ISSUE_VOCABULARY, token.key);
    const letters = token.letters.toLowerCase();
    const list = field ? suggestValues(token, field, letters, data) : [];
    const versionLetters = field?.type === "version" ? letters : null;
    return { ...place, list: withoutTyped(list, search.slice(place.from, place.to)), versionLetters };
  }
  if (token.isQuoted) return { ...place, list: [], versionLetters: null };
  const list = suggestKeys(token);
  if (token.letters === "" && token.sign === "") {
    const others = data.recent.filter((recent) => recent !== search.trim()).slice(0, MAX_RECENT);
    list.push(...others.map((text): SearchSuggestion => ({ kind: "recent", text, meaning: "recent search" })));
  }
  return { ...place, list, versionLetters: null };
}

function suggestKeys({ letters, sign }: TypedToken): SearchSuggestion[] {
  const typed = letters.toLowerCase();
  const begins = FIELDS.filter(({ key }) => key.toLowerCase().startsWith(typed));
  const fields = typed === "" ? begins.slice(0, COMMON_KEYS.length) : begins;
  const list = fields.map(
    ({ key, description }): SearchSuggestion => ({
      kind: "key",
      text: `${sign}${key}:`,
      meaning: sign ? `leaves out: ${description}` : description,
    }),
  );
  if (typed.length >= MIN_VALUE_LETTERS) {
    for (const { key, choices = [] } of FIELDS) {
      const values = choices.filter(({ value }) => value.startsWith(typed));
      list.push(
        ...values.map(
          ({ value, description }): SearchSuggestion => ({
            kind: "value",
            text: `${sign}${key}:${value}`,
            meaning: description,
          }),
        ),
      );
    }
  }
  return list.slice(0, MAX_SUGGESTIONS);
}

function suggestValues(token: TypedToken, field: SearchField, letters: string, data: SearchData): SearchSuggestion[] {
  const values = field.type === "version" ? listVersions(letters, data) : rank(field, listValues(field, data), letters);
  return values.slice(0, MAX_SUGGESTIONS).map(([value, meaning]) => {
    const said = printValue(toSearchValue(value));
    return { kind: "value", text: token.isItem ? said : `${token.sign}${field.key}:${said}`, meaning };
  });
}

function listVersions(letters: string, { findVersions }: SearchData): Values {
  const latest: Values =
    letters !== "" && "latest".startsWith(letters) ? [["latest", "the newest of each project"]] : [];
  return [...latest, ...findVersions(letters).map((version): [string, string] => [version, ""])];
}

function listValues({ key, choices, type }: SearchField, data: SearchData): Values {
  if (choices) {
    const values = choices.map(({ value, description }): [string, string] => [value, description]);
    return key === "level" ? values.reverse() : values;
  }
  if (type === "boolean")
    return [
      ["true", ""],
      ["false", ""],
    ];
  if (type === "time" || type === "age")
    return [
      ["-1h", "in the last hour"],
      ["-24h", "in the last 24 hours"],
      ["-7d", "in the last 7 days"],
      ["+7d", "more than 7 days ago"],
    ];
  if (key === "project") return data.projects.map(({ slug, name }) => [slug, name === slug ? "" : name]);
  return key === "environment" ? data.environments.map((name) => [name, ""]) : [];
}

/** Nothing to suggest when the only match is typed already. */
function withoutTyped(list: SearchSuggestion[], word: string): SearchSuggestion[] {
  return list.length === 1 && list[0]?.text === word ? [] : list;
}

/** Those that begin with the letters, then those that hold them, in the order they came; projects by their name, too. */
function rank({ key }: SearchField, values: Values, letters: string): Values {
  const begins = values.filter(([value]) => value.toLowerCase().startsWith(letters));
  const holds = values.filter(
    ([value, meaning]) =>
      !value.toLowerCase().startsWith(letters) &&
      (key === "project" ? `${value} ${meaning}` : value).toLowerCase().includes(letters),
  );
  return [...begins, ...holds];
}

/** The search with the suggestion in it, and where the caret stands then. */
export function applySuggestion(
  search: string,
  { from, to }: Pick<SearchSuggestions, "from" | "to">,
  { kind, text }: SearchSuggestion,
): { search: string; caret: number } {
  if (kind === "recent") return { search: text, caret: text.length };
  const after = search.slice(to);
  const blank = kind === "value" && !/^[\s,\])]/.test(after) ? " " : "";
  const before = search.slice(0, from) + text + blank;
  return { search: before + after, caret: before.length };
}
