import { printValue, toSearchValue } from "../../domain/search/print-search.ts";
import { findField, type SearchField, type Vocabulary } from "../../domain/search/search-field.ts";
import { isBareKey, printSearchKey } from "../../domain/search/search-key.ts";
import { findTokenAt, type TypedToken } from "../../domain/search/token-at.ts";
import type { KnownValue, ValueCount } from "./search-values.ts";

/** A suggestion. It replaces the word at the caret when it is picked. */
export interface SearchSuggestion {
  /** `key`: a value must follow. `recent`: it replaces the whole search. */
  kind: "key" | "value" | "recent";
  text: string;
  /** What it finds; empty if the text says it. */
  meaning: string;
  /** The count, like `1,204 events`; null: not counted yet. */
  counted: string | null;
}

export interface SearchSuggestions {
  /** The part of the search that a pick replaces: characters, the end exclusive. */
  from: number;
  to: number;
  list: SearchSuggestion[];
}

/** Asks for values of a key, or for keys of tags (`key` null), that contain these lower-case letters. */
export interface ValueQuestion {
  key: string | null;
  letters: string;
}

/** What can be suggested. */
export interface SearchData {
  /** The vocabulary of the searched rows. */
  vocabulary: Vocabulary;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  environments: readonly string[];
  /** The values that are known now, in the order of the list. */
  find: (question: ValueQuestion) => readonly KnownValue[];
  /** Earlier searches, latest first. */
  recent: readonly string[];
}

type Values = ReadonlyArray<[value: string, meaning: string, counted?: string]>;

/** Nobody reads more; further letters narrow it down. */
const MAX_SUGGESTIONS = 12;
const MAX_RECENT = 5;
/** From this many letters on, values are suggested without their key: `unh` for `is:unhandled`. */
const MIN_VALUE_LETTERS = 2;
/** These keys are suggested first; others when their first letters are typed. */
const COMMON_KEYS = [
  "is",
  "level",
  "span.op",
  "span.duration",
  "span.status",
  "project",
  "environment",
  "release",
  "first-release",
  "user",
  "trace",
  "service",
];

/** Tags that are suggested before a letter is typed. */
const MAX_TAGS = 6;

/** The fields, in the order of suggestion. */
function listFields(vocabulary: Vocabulary): { common: SearchField[]; others: SearchField[] } {
  return {
    common: COMMON_KEYS.flatMap((key) => findField(vocabulary, key) ?? []),
    others: vocabulary.fields.filter(({ key }) => !COMMON_KEYS.includes(key)),
  };
}

/** Suggestions for the word at or before the caret, and what to load for more. `caret` counts characters from the start. */
export function suggestSearchWords(
  search: string,
  caret: number,
  data: SearchData,
): SearchSuggestions & { question: ValueQuestion | null } {
  const token = findTokenAt(search, caret);
  const place = { from: token.from, to: token.to };
  const tagQuestion = data.vocabulary.hasTags ? { key: null, letters: token.letters.toLowerCase() } : null;
  if (token.key?.key.toLowerCase() === "has" && !token.key.isTag) {
    const list = suggestPresent(token, tagQuestion, data);
    return { ...place, list: withoutTyped(list, token, search), question: tagQuestion };
  }
  if (token.key !== null) {
    const { key, isTag } = token.key;
    const field = isTag ? undefined : findField(data.vocabulary, key);
    const letters = token.letters.toLowerCase();
    const asked = toAskedKey(key, field, data);
    const question = asked === null ? null : { key: asked, letters };
    const printed = field?.key ?? printSearchKey(token.key);
    const list = suggestValues(token, { printed, field, question, letters }, data);
    return { ...place, list: withoutTyped(list, token, search), question };
  }
  if (token.isQuoted) {
    // With an open quote, a pick would replace the text behind the caret, too.
    const isWhole = token.to === caret || search[token.to - 1] === '"';
    return { ...place, list: isWhole ? suggestQuotedKeys(token, tagQuestion, data) : [], question: tagQuestion };
  }
  const list = suggestKeys(token, tagQuestion, data);
  if (token.letters === "" && token.sign === "") {
    const others = data.recent.filter((recent) => recent !== search.trim()).slice(0, MAX_RECENT);
    list.push(
      ...others.map((text): SearchSuggestion => ({ kind: "recent", text, meaning: "recent search", counted: null })),
    );
  }
  return { ...place, list, question: tagQuestion };
}

/** The key whose counted values can be loaded; null: there are none. */
function toAskedKey(typed: string, field: SearchField | undefined, { vocabulary }: SearchData): string | null {
  // A tag with the name of a field cannot be asked for: the answer has the field's values.
  if (!field) return vocabulary.hasTags && findField(vocabulary, typed) === undefined ? typed : null;
  const isCounted =
    field.type === "text" || field.type === "version" || (field.type === "number" && vocabulary.hasNumbers);
  return isCounted ? field.key : null;
}

function suggestKeys(
  { letters, sign }: TypedToken,
  question: ValueQuestion | null,
  data: SearchData,
): SearchSuggestion[] {
  const typed = letters.toLowerCase();
  const { common, others } = listFields(data.vocabulary);
  const fields = (typed === "" ? common : [...common, ...others]).filter(({ key }) =>
    key.toLowerCase().startsWith(typed),
  );
  const list = fields.map(
    ({ key, description }): SearchSuggestion => ({
      kind: "key",
      text: `${sign}${key}:`,
      meaning: sign ? `leaves out: ${description}` : description,
      counted: null,
    }),
  );
  list.push(...findTags(question, data).map((known) => toTagKey(known, sign)));
  if (typed.length >= MIN_VALUE_LETTERS) {
    for (const { key, choices = [] } of [...common, ...others]) {
      const values = choices.filter(({ value }) => value.startsWith(typed));
      list.push(
        ...values.map(
          ({ value, description }): SearchSuggestion => ({
            kind: "value",
            text: `${sign}${key}:${value}`,
            meaning: description,
            counted: null,
          }),
        ),
      );
    }
  }
  return list.slice(0, typed === "" ? COMMON_KEYS.length + MAX_TAGS : MAX_SUGGESTIONS);
}

/** Keys that need quotes, for a quote without a key before it. */
function suggestQuotedKeys({ sign }: TypedToken, question: ValueQuestion | null, data: SearchData): SearchSuggestion[] {
  const tags = question === null ? [] : data.find(question);
  return tags
    .filter(({ value }) => !isBareKey(value))
    .slice(0, MAX_TAGS)
    .map((known) => toTagKey(known, sign));
}

/** After `has:`, the keys that a row may lack. */
function suggestPresent(token: TypedToken, question: ValueQuestion | null, data: SearchData): SearchSuggestion[] {
  const typed = token.letters.toLowerCase();
  const { common, others } = listFields(data.vocabulary);
  const fields = [...common, ...others].filter(
    ({ key, choices, type }) => !choices && type !== "boolean" && key.toLowerCase().startsWith(typed),
  );
  const toText = (key: string) => {
    const said = printValue(toSearchValue(key));
    return token.isItem ? said : `${token.sign}${token.key?.key}:${said}`;
  };
  return [
    ...findTags(question, data).map(
      (known): SearchSuggestion => ({ ...sayTag(known), kind: "value", text: toText(known.value) }),
    ),
    ...fields.map(
      ({ key, description }): SearchSuggestion => ({
        kind: "value",
        text: toText(key),
        meaning: description,
        counted: null,
      }),
    ),
  ];
}

/** Tags that are not fields. */
function findTags(question: ValueQuestion | null, data: SearchData): KnownValue[] {
  const tags = question === null ? [] : data.find(question);
  return tags.filter(({ value }) => findField(data.vocabulary, value) === undefined).slice(0, MAX_TAGS);
}

function toTagKey(known: KnownValue, sign: string): SearchSuggestion {
  const key = printSearchKey({ key: known.value, isTag: false });
  return { ...sayTag(known), kind: "key", text: `${sign}${key}:` };
}

function sayTag({ counted }: KnownValue): Pick<SearchSuggestion, "meaning" | "counted"> {
  return { meaning: isAttribute(counted) ? "attribute" : "tag", counted: sayCount(counted) };
}

function suggestValues(
  token: TypedToken,
  {
    printed,
    field,
    question,
    letters,
  }: { printed: string; field: SearchField | undefined; question: ValueQuestion | null; letters: string },
  data: SearchData,
): SearchSuggestion[] {
  const asked = question === null ? [] : data.find(question);
  const counts = new Map(asked.map(({ value, counted }) => [value, sayCount(counted)]));
  const known: Values = [
    ...(field?.type === "version" ? listLatest(letters) : []),
    ...(field ? rank(field, listValues(field, data), letters) : []),
  ];
  const isKnown = new Set(known.map(([value]) => value));
  const values: Values = [
    ...known.map(([value, meaning]): Values[number] => [value, meaning, counts.get(value)]),
    ...(field?.choices ? [] : asked)
      .filter(({ value }) => value !== "" && !isKnown.has(value))
      .map(({ value }): Values[number] => [value, "", counts.get(value)]),
  ];
  return values.map(([value, meaning, counted]) => {
    const said = printValue(toSearchValue(value));
    const text = token.isItem ? said : `${token.sign}${printed}:${said}`;
    return { kind: "value", text, meaning, counted: counted || null };
  });
}

function listLatest(letters: string): Values {
  return letters !== "" && "latest".startsWith(letters) ? [["latest", "the newest of each project"]] : [];
}

function isAttribute(counted: ValueCount | null): boolean {
  return counted !== null && "of" in counted && (counted.of === "lines" || counted.of === "spans");
}

const UNITS = { events: "event", issues: "issue", lines: "line", spans: "span" };

function sayCount(counted: ValueCount | null): string {
  if (counted === null) return "";
  if ("share" in counted) {
    const { share } = counted;
    return share < 0.01 ? "< 1% of events" : `${Math.round(share * 100)}% of events`;
  }
  const { count, of, isAtLeast } = counted;
  return `${count.toLocaleString("en")}${isAtLeast ? "+" : ""} ${count === 1 && !isAtLeast ? UNITS[of] : of}`;
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

/** Removes suggestions that the list of values already has, and a single suggestion that is already typed. */
function withoutTyped(list: SearchSuggestion[], { from, to, others }: TypedToken, search: string): SearchSuggestion[] {
  const typed = new Set(others.map((value) => printValue(toSearchValue(value))));
  const left = list.filter(({ text }) => !typed.has(text)).slice(0, MAX_SUGGESTIONS);
  return left.length === 1 && left[0]?.text === search.slice(from, to) ? [] : left;
}

/** Values that begin with the letters, then those that contain them, each in their order. Projects are found by their name, too. */
function rank({ key }: SearchField, values: Values, letters: string): Values {
  const begins = values.filter(([value]) => value.toLowerCase().startsWith(letters));
  const holds = values.filter(
    ([value, meaning]) =>
      !value.toLowerCase().startsWith(letters) &&
      (key === "project" ? `${value} ${meaning}` : value).toLowerCase().includes(letters),
  );
  return [...begins, ...holds];
}

/** The search with the suggestion, and the position of the caret after it. */
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
