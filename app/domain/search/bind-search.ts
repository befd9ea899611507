import { cleanReleaseVersion, parseReleaseVersion } from "../release-version.ts";
import { ALWAYS, allOf, anyOf, type Condition, type FieldTest, negate, type ValueTest } from "./condition.ts";
import { findNearestKey } from "./nearest-key.ts";
import { readCount, readDuration, readId, readInstant, readPercentage, readSize } from "./read-search-value.ts";
import { type FieldType, findField, type SearchField, type Vocabulary } from "./search-field.ts";
import { isBareKey } from "./search-key.ts";
import {
  ANY_TEXT,
  type CompareSign,
  type FilterNode,
  type SearchError,
  type SearchNode,
  type SearchValue,
  type Span,
  type TextNode,
  toPlainText,
} from "./search-tree.ts";

/**
 * Words, values with `*` or that are a part of a text, values of any key, and attributes of spans and logs: each reads whole texts of every row. Over 20,000 log
 * lines, 20 take 0.3 s of a processor in the database and 0.2 s in memory; 40 attributes need more memory than `EVENTS_MEMORY_BYTES` gives.
 */
const MAX_SEARCHED_TEXTS = 20;
/** Milliseconds before and after 1970 that a `Date` holds. */
const MAX_DATE_MS = 8.64e15;

/** A tag that the search names, whether or not an event has it. */
export interface NamedTag extends Span {
  key: string;
}

export interface BoundSearch {
  condition: Condition;
  /** In the order of their places. If there are any, the condition is meaningless. */
  errors: SearchError[];
  /** Keys that the vocabulary does not have, as they are typed. */
  tags: NamedTag[];
}

/** Gives the words of a search their meaning. `now`: milliseconds since 1970, for relative times. */
export function bindSearch(tree: SearchNode | null, vocabulary: Vocabulary, now: number): BoundSearch {
  if (tree === null) return { condition: ALWAYS, errors: [], tags: [] };
  const binder = new Binder(vocabulary, now);
  const condition = binder.bind(tree);
  return { condition, errors: binder.errors.sort((one, other) => one.from - other.from), tags: binder.tags };
}

class Binder {
  readonly errors: SearchError[] = [];
  readonly tags: NamedTag[] = [];
  readonly #vocabulary: Vocabulary;
  readonly #now: number;
  /** Places of values that are looked for as texts. */
  readonly #texts = new Set<number>();
  /** The last text that has further text after it. */
  #proseBefore: SearchNode | null = null;

  constructor(vocabulary: Vocabulary, now: number) {
    this.#vocabulary = vocabulary;
    this.#now = now;
  }

  bind(node: SearchNode): Condition {
    switch (node.kind) {
      case "all":
        return this.#bindAll(node.parts);
      case "any":
        return anyOf(node.parts.map((part) => this.bind(part)));
      case "not":
        return negate(this.bind(node.part));
      case "text":
        return this.#bindText(node);
      case "filter":
        return this.#bindFilter(node);
    }
  }

  /**
   * A row has one value of a key: filters of the same key side by side, which could never hold together, find any of their
   * values, as a list does.
   */
  #bindAll(parts: readonly SearchNode[]): Condition {
    const together = new Map<string, Condition[]>();
    const others: Condition[] = [];
    for (const [index, part] of parts.entries()) {
      // “Error: out of memory” is a pasted message; “plan:” before a filter lacks its value.
      if (part.kind === "text" && parts[index + 1]?.kind === "text") this.#proseBefore = part;
      const condition = this.bind(part);
      const key = part.kind === "filter" ? this.#toOneValueKey(part, condition) : null;
      if (key === null) others.push(condition);
      else together.set(key, [...(together.get(key) ?? []), condition]);
    }
    return allOf([...[...together.values()].map(anyOf), ...others]);
  }

  /** For a filter on one value: a key that it shares with the filters that cannot be true at the same time. Null for other filters. */
  #toOneValueKey({ key, isTag, sign, values }: FilterNode, condition: Condition): string | null {
    if (sign !== null || key === "*" || key.toLowerCase() === "has") return null;
    if (values.some((value) => toPlainText(value) === null)) return null;
    const field = isTag ? undefined : findField(this.#vocabulary, key);
    if (field === undefined) return `tag ${key}`;
    if (field.choices) return toChoiceKey(condition);
    return EXACT.has(field.type) ? `key ${field.key}` : null;
  }

  #bindText(node: TextNode): Condition {
    const { value } = node;
    const text = toPlainText(value);
    if (text === "") return ALWAYS;
    if (text !== null && !value.isQuoted) this.#checkText(node, text, this.#proseBefore === node);
    this.#countText(value);
    const { field } = this.#vocabulary.text;
    return toTest(field, false, { kind: "like", parts: [ANY_TEXT, ...value.parts, ANY_TEXT] });
  }

  /** Signs of a filter that is not one, which nobody means as text. */
  #checkText({ from, to }: Span, text: string, isInProse: boolean): void {
    const [, minus, key, rest] = /^(-?)([^:]+):(.*)$/s.exec(text) ?? [];
    if (key === undefined || !isBareKey(key)) return;
    if (!findField(this.#vocabulary, key)) {
      if (rest === "" && !minus && this.#vocabulary.hasTags && !isInProse)
        this.#refuse(
          { from, to },
          `“${key}:” needs a value after the colon, without a blank. Put quotes around it to search for the text.`,
        );
      return;
    }
    if (minus) this.#refuse({ from, to }, `“-” leaves nothing out. Write !${key}:${rest} for that.`);
    else if (rest === "") this.#refuse({ from, to }, `“${key}:” needs a value after the colon, without a blank.`);
  }

  #bindFilter(node: FilterNode): Condition {
    const { key, isTag } = node;
    if (!isTag && key.toLowerCase() === "has") return this.#bindHas(node);
    if (!isTag && key === "*") return this.#bindAnyKey(node);
    const field = isTag ? undefined : findField(this.#vocabulary, key);
    if (field === undefined) return this.#bindTag(node);
    return anyOf(node.values.map((value) => this.#bindField(node, field, value)));
  }

  /** A value without its key: a tag of whatever key has it. */
  #bindAnyKey({ values, sign, keySpan }: FilterNode): Condition {
    const texts = values.map(toPlainText);
    if (!this.#vocabulary.hasTags || sign !== null || texts.some((text) => text === null || text === ""))
      this.#refuse(
        keySpan,
        "“*:” takes whole values of tags, without signs: *:pro finds events with any tag that is “pro”.",
      );
    for (const value of values) this.#countText(value);
    const known = texts.filter((text) => text !== null);
    return toTest("*", true, { kind: "in", values: known });
  }

  #bindHas({ values, sign, keySpan }: FilterNode): Condition {
    if (sign !== null) this.#refuse(keySpan, "“has:” takes the name of a key, like has:user.");
    return anyOf(
      values.map((value) => {
        const key = toPlainText(value) ?? "";
        const field = findField(this.#vocabulary, key);
        if (key === "" || toPlainText(value) === null)
          this.#refuse(value, "“has:” takes the name of a key, like has:user.");
        if (field?.choices || field?.type === "boolean" || key === "has")
          this.#refuse(value, `“has:${key}” says nothing: there always is one. Name a value: ${key}:…`);
        if (field) {
          if (field.prefixes?.length === 1) return toHasPrefix(field, field.prefixes[0] as string);
          return anyOf(field.fields.map((name) => toTest(name, field.isTag === true, { kind: "exists" })));
        }
        if (!this.#checkTag(key, value)) return ALWAYS;
        if (this.#vocabulary.hasNumericTags) this.#countText(value);
        return toTest(key, true, { kind: "exists" });
      }),
    );
  }

  #bindTag({ key, isTag, keySpan, sign, values }: FilterNode): Condition {
    if (!this.#checkTag(key, keySpan, isTag)) return ALWAYS;
    if (this.#vocabulary.hasNumericTags && values.every((value) => toPlainText(value) !== null))
      this.#countText(keySpan);
    if (sign !== null && this.#vocabulary.hasNumericTags)
      return anyOf(values.map((value) => this.#bindTagNumber(key, sign, value)));
    if (sign !== null) {
      const ordered = this.#vocabulary.fields.filter(({ type }) => ORDERED.has(type));
      const near = isTag ? null : nearestKey(key, ordered);
      const hint = near === null ? "" : `Did you mean ${near}:${sign}? `;
      this.#refuse(
        keySpan,
        `“${key}” is a tag, and tags have no order: “${sign}” works with numbers, times and versions. ${hint}Put quotes around a value that begins with it.`,
      );
      return ALWAYS;
    }
    return this.#bindTexts(values, (test) => toTest(key, true, test));
  }

  /** Its unit is not known: durations are milliseconds and sizes bytes, as with the keys that have them. */
  #bindTagNumber(key: string, sign: CompareSign, value: SearchValue): Condition {
    const text = toPlainText(value);
    const number =
      text === null ? null : (readCount(text) ?? readDuration(text) ?? readSize(text) ?? readPercentage(text));
    if (number !== null) return toTest(key, true, { kind: "compare", sign, value: number });
    this.#refuse(
      value,
      `“${key}:${sign}” needs a number, like ${sign}100, ${sign}1.5k, ${sign}500ms, ${sign}10MB or ${sign}5%. Put quotes around a value that begins with “${sign}”.`,
    );
    return ALWAYS;
  }

  /** Returns false, with an error, if the key cannot be a tag. */
  #checkTag(key: string, span: Span, isTag = false): boolean {
    const { hasTags, refused } = this.#vocabulary;
    const name = key.toLowerCase();
    const reason = !isTag && Object.hasOwn(refused, name) ? refused[name] : undefined;
    if (reason !== undefined) this.#refuse(span, `“${key}:” cannot be used. ${reason}`);
    else if (hasTags) {
      this.tags.push({ key, from: span.from, to: span.to });
      return true;
    } else this.#refuse(span, sayUnknownKey(key, this.#vocabulary));
    return false;
  }

  #bindField({ key, sign, keySpan }: FilterNode, field: SearchField, value: SearchValue): Condition {
    const { choices, type, fields, prefixes } = field;
    const isOrdered = ORDERED.has(type);
    if (sign !== null && !isOrdered) {
      this.#refuse(
        { from: keySpan.from, to: value.to },
        `“${key}:” has no order: “${sign}” works with numbers, times and versions.`,
      );
      return ALWAYS;
    }
    if (choices) return this.#bindChoice(key, field, value);
    const any = (test: ValueTest) => anyOf(fields.map((name) => toTest(name, field.isTag === true, test)));
    if (type === "text" && prefixes) return this.#bindPrefixed(field, value, prefixes);
    if (type === "text") return this.#bindTexts([value], any);
    if (type === "words") {
      this.#countText(value);
      return any({ kind: "like", parts: [ANY_TEXT, ...value.parts, ANY_TEXT] });
    }
    if (type === "version") return this.#bindVersion(field, sign, value);
    const text = toPlainText(value);
    if (text === null) {
      this.#refuse(value, `“${key}:” cannot have “*” in its value.`);
      return ALWAYS;
    }
    const condition = this.#bindScalar(type, sign, text, any);
    if (condition === null) this.#refuse(value, `“${key}:” ${SCALARS[type] ?? "has another kind of value."}`);
    return condition ?? ALWAYS;
  }

  #bindScalar(
    type: FieldType,
    sign: CompareSign | null,
    text: string,
    any: (test: ValueTest) => Condition,
  ): Condition | null {
    const compare = (by: CompareSign | "=", value: number) => any({ kind: "compare", sign: by, value });
    const number = (value: number | null) => (value === null ? null : compare(sign ?? "=", value));
    switch (type) {
      case "number":
        return number(readCount(text));
      case "duration":
        return number(readDuration(text) ?? (/^[\d.]+$/.test(text) ? readCount(text) : null));
      case "size":
        return number(readSize(text));
      case "percentage":
        return number(readPercentage(text));
      case "boolean": {
        const value = BOOLEANS[text.toLowerCase()];
        return value === undefined ? null : compare("=", value);
      }
      case "id": {
        const id = readId(text);
        return id === null ? null : any({ kind: "in", values: [id] });
      }
      case "spanId":
        return SPAN_ID.test(text) ? any({ kind: "in", values: [text.toLowerCase()] }) : null;
      case "time":
        return this.#bindTime(sign, text, compare);
      case "age":
        return this.#bindAge(sign, text, compare);
      default:
        return null;
    }
  }

  /** `-24h`: in the last 24 hours. `+24h`: before. `2026-05-20`: on that day. */
  #bindTime(
    sign: CompareSign | null,
    text: string,
    compare: (by: CompareSign, value: number) => Condition,
  ): Condition | null {
    const [, direction, length] = /^([+-])(.+)$/.exec(text) ?? [];
    if (direction !== undefined) {
      const duration = readDuration(length ?? "");
      if (duration === null || (sign !== null && direction === "+")) return null;
      return compare(sign ?? (direction === "-" ? ">=" : "<"), this.#before(duration));
    }
    const stretch = readInstant(text);
    if (stretch === null) return null;
    if (sign === null) return allOf([compare(">=", stretch.from), compare("<", stretch.to)]);
    // “After a day” means after its end, and “up to a day” includes it.
    if (sign === ">") return compare(">=", stretch.to);
    if (sign === "<=") return compare("<", stretch.to);
    return compare(sign, stretch.from);
  }

  /** `-24h` and `<24h`: younger. `+24h` and `>24h`: older. */
  #bindAge(
    sign: CompareSign | null,
    text: string,
    compare: (by: CompareSign, value: number) => Condition,
  ): Condition | null {
    const [, direction, length] = /^([+-]?)(.+)$/.exec(text) ?? [];
    const duration = readDuration(length ?? "");
    if (duration === null || (direction !== "") === (sign !== null)) return null;
    const by = sign === null ? (direction === "-" ? ">=" : "<") : OPPOSITE[sign];
    return compare(by, this.#before(duration));
  }

  /** The first time that there is where it would be before all: stores hold microseconds in 64 bits. */
  #before(durationMs: number): number {
    return Math.min(Math.max(this.#now - durationMs, -MAX_DATE_MS), MAX_DATE_MS);
  }

  #bindChoice(key: string, { choices = [] }: SearchField, value: SearchValue): Condition {
    const name = toPlainText(value)?.toLowerCase();
    const choice = choices.find((one) => one.value === name || (name !== undefined && one.aliases?.includes(name)));
    if (choice) return choice.condition;
    const near =
      name === undefined
        ? null
        : findNearestKey(
            name,
            choices.map((one) => one.value),
          );
    const list = choices.map((one) => one.value).join(", ");
    this.#refuse(
      value,
      `“${key}:${name ?? "*"}” is not known. ${near === null ? "" : `Did you mean ${key}:${near}? `}It can be ${list}.`,
    );
    return ALWAYS;
  }

  #bindVersion({ key, fields }: SearchField, sign: CompareSign | null, value: SearchValue): Condition {
    const text = toPlainText(value);
    const field = fields[0] as string;
    if (sign === null) {
      if (text?.toLowerCase() === "latest" && !value.isQuoted)
        return toTest(field, false, { kind: "in", values: ["latest"] });
      return this.#bindTexts([value], (test) => toTest(field, false, test));
    }
    const version = text === null ? null : cleanReleaseVersion(text);
    if (version === null || parseReleaseVersion(version).semver === null) {
      this.#refuse(value, `“${key}:${sign}” needs a version, like ${key}:${sign}2.3 or ${key}:${sign}web@2.3.`);
      return ALWAYS;
    }
    return toTest(field, false, { kind: "version", sign, version });
  }

  #bindPrefixed(known: SearchField, value: SearchValue, prefixes: readonly string[]): Condition {
    const { nameField } = known;
    const prefixed = this.#bindPrefix(known, value, prefixes);
    const name = nameField === undefined ? null : toName(value, prefixes);
    if (nameField === undefined || name === null) return prefixed;
    return anyOf([prefixed, this.#bindTexts([name], (test) => toTest(nameField, false, test))]);
  }

  #bindPrefix({ fields }: SearchField, value: SearchValue, prefixes: readonly string[]): Condition {
    const field = fields[0] as string;
    const text = toPlainText(value);
    if (text !== null && prefixes.length > 1 && prefixes.some((prefix) => text.startsWith(`${prefix}:`)))
      return toTest(field, false, { kind: "in", values: [text] });
    if (text !== null)
      return toTest(field, false, { kind: "in", values: prefixes.map((prefix) => `${prefix}:${text}`) });
    this.#countText(value);
    return anyOf(
      prefixes.map((prefix) => {
        const [first, ...rest] = value.parts;
        const parts = typeof first === "string" ? [`${prefix}:${first}`, ...rest] : [`${prefix}:`, ...value.parts];
        return toTest(field, false, { kind: "like", parts });
      }),
    );
  }

  #bindTexts(values: readonly SearchValue[], test: (test: ValueTest) => Condition): Condition {
    const exact: string[] = [];
    const conditions: Condition[] = [];
    for (const value of values) {
      const text = toPlainText(value);
      if (text !== null) {
        exact.push(text);
        continue;
      }
      this.#countText(value);
      conditions.push(test({ kind: "like", parts: value.parts }));
    }
    if (exact.length > 0) conditions.unshift(test({ kind: "in", values: exact }));
    return anyOf(conditions);
  }

  /** The condition keeps its meaning: rules that were saved before this limit existed are not changed. */
  #countText(place: Span): void {
    const { maxTexts = MAX_SEARCHED_TEXTS, hasNumericTags } = this.#vocabulary;
    if (this.#texts.size === maxTexts && !this.#texts.has(place.from)) {
      const what = hasNumericTags ? "words, values with “*” and attributes" : "words and values with “*”";
      this.#refuse(
        place,
        `A search looks for at most ${maxTexts} ${what}. Put quotes around words that stand together.`,
      );
    }
    this.#texts.add(place.from);
  }

  #refuse({ from, to }: Span, message: string): void {
    this.errors.push({ from, to, message });
  }
}

/** The nearest key by its main name, whichever of its names the typed one resembles. */
function nearestKey(typed: string, fields: readonly SearchField[], others: readonly string[] = []): string | null {
  const near = findNearestKey(typed, [...fields.flatMap(({ key, aliases = [] }) => [key, ...aliases]), ...others]);
  return fields.find(({ aliases }) => near !== null && aliases?.includes(near))?.key ?? near;
}

/** A sentence that names the known key that is most like it. `others`: keys of tags that events have. */
export function sayUnknownKey(key: string, { fields }: Vocabulary, others: readonly string[] = []): string {
  const near = nearestKey(key, fields, others);
  const hint = near === null ? "" : ` Did you mean ${near}:?`;
  return `“${key}:” is not known.${hint} Put quotes around what is text.`;
}

const ORDERED: ReadonlySet<FieldType> = new Set(["number", "time", "age", "duration", "size", "percentage", "version"]);
const SPAN_ID = /^[0-9a-f]{16}$/i;
/** A row has only one of these. */
const EXACT: ReadonlySet<FieldType> = new Set(["text", "number", "id", "spanId", "version", "boolean"]);
const OPPOSITE: Readonly<Record<CompareSign, CompareSign>> = { ">": "<", ">=": "<=", "<": ">", "<=": ">=" };
const BOOLEANS: Readonly<Record<string, number>> = { true: 1, yes: 1, "1": 1, false: 0, no: 0, "0": 0 };

const SCALARS: Partial<Record<FieldType, string>> = {
  number: "needs a number, like 100 or >1k.",
  duration: "needs a duration, like >500ms or 2s.",
  size: "needs a size, like >10MB.",
  percentage: "needs a percentage, like >5%.",
  boolean: "is true or false.",
  id: "needs an id: 32 hexadecimal digits.",
  spanId: "needs an id: 16 hexadecimal digits.",
  time: "needs a time: -24h (the last 24 hours), +7d (before that), or a date like >2026-05-20 or 2026-05-20T12:30.",
  age: "needs an age: -24h or <24h (younger), +7d or >7d (older).",
};

/** Values of `is:` that say something of the same: its last test tells, because `is:new` is unresolved and new. */
function toChoiceKey(condition: Condition): string | null {
  const last = condition.kind === "all" ? condition.parts.at(-1) : condition;
  const test = last?.kind === "any" ? last.parts[0] : last;
  return test?.kind === "test" ? `choice ${test.field}` : null;
}

/** The value as a user's name alone, without `email:` before it. Null: it means another kind. */
function toName(value: SearchValue, prefixes: readonly string[]): SearchValue | null {
  const [first, ...rest] = value.parts;
  const prefix = typeof first === "string" ? prefixes.find((each) => first.startsWith(`${each}:`)) : undefined;
  if (prefixes.length === 1 || prefix === undefined || typeof first !== "string") return value;
  if (prefix !== "email" && prefix !== "username") return null;
  return { ...value, parts: [first.slice(prefix.length + 1), ...rest] };
}

/** Whether a user is known by that kind of name. */
function toHasPrefix({ fields, nameField }: SearchField, prefix: string): Condition {
  const known = toTest(fields[0] as string, false, { kind: "like", parts: [`${prefix}:`, ANY_TEXT] });
  if (nameField === undefined || prefix !== "email") return known;
  return anyOf([known, toTest(nameField, false, { kind: "like", parts: [ANY_TEXT, "@", ANY_TEXT] })]);
}

function toTest(field: string, isTag: boolean, test: ValueTest): FieldTest {
  return { kind: "test", field, isTag, test, isNegated: false };
}
