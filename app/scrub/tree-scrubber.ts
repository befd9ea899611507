import { ID_KEYS } from "../domain/privacy/structural-keys.ts";
import type { MetaRecorder } from "../normalize/meta.ts";
import { isCardInteger } from "./find-card-numbers.ts";
import { isOpaque, isRevealing, type KeyRule, type ScrubRule } from "./find-key-rule.ts";
import { BUILT_IN_RULES, type ScrubRules } from "./scrub-rules.ts";
import { FILTERED, scrubText } from "./scrub-text.ts";

type Key = string | number;
type Fields = Record<string, unknown>;
type Pairs = Array<[name: string, value: string]>;

/** Deeper than any parsed tree. Values below this depth are removed, because they are not searched. */
const MAX_DEPTH = 250;
const TOO_DEEP = "[Filtered: nested too deeply]";

/** Replaces secrets in a tree, in place, and records what it replaced and where. One scrubber serves one tree. */
export class TreeScrubber {
  /** Whether anything was replaced. */
  changed = false;
  readonly #meta: MetaRecorder | null;
  readonly #rules: ScrubRules;
  #depth = 0;

  constructor(meta: MetaRecorder | null, rules: ScrubRules = BUILT_IN_RULES) {
    this.#meta = meta;
    this.#rules = rules;
  }

  /** Scrubs the value under a key, and returns the value to store there. */
  scrubField(key: string, value: unknown): unknown {
    if (typeof value === "string") {
      if (value.length < 3) return value === "" ? value : this.#scrubShortText(key, value);
      const rule = this.#rules.findKey(key);
      if (rule !== null && covers(rule, value)) return this.#filter(key, rule.rule, value);
      return this.#isLeft(key) ? value : this.scrubString(key, value);
    }
    if (typeof value === "object") {
      if (value === null) return value;
      const rule = this.#rules.findKey(key);
      return rule === null ? this.#scrubContainer(key, value, null) : this.#scrubCovered(key, value, rule);
    }
    if (typeof value !== "number") return value;
    if (this.#rules.findKey(key)?.covers === "all")
      return this.#filter(key, this.#rules.findKey(key)?.rule ?? "@secret", value);
    return this.#scrubNumber(key, value);
  }

  /** Scrubs every field of an object. The notes are recorded under the object. */
  scrubFields(fields: Fields): void {
    for (const key in fields) {
      const before = fields[key];
      const after = this.scrubField(key, before);
      if (after !== before) fields[key] = after;
    }
  }

  /** Scrubs the inside of a container that must stay one, whatever its key is: each of its fields is judged by itself. */
  scrubInside(key: Key, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if (typeof key === "string" && this.#isOwn(key)) this.#maskInside(key, value);
    else this.#scrubContainer(key, value, null);
  }

  /** Scrubs a text by its contents alone. */
  scrubString(key: Key, text: string): string {
    const scrubbed = scrubText(text, this.#rules);
    if (scrubbed === null) return text;
    this.changed = true;
    for (const { rule, start, end } of scrubbed.remarks) {
      this.#meta?.remark(key, rule, "s", start, end, text.length);
    }
    return scrubbed.text;
  }

  /** Scrubs pairs of headers, parameters or tags, like fields of an object. */
  scrubPairs(key: string, pairs: Pairs): void {
    if (this.#isOwn(key)) return void this.#maskInside(key, pairs);
    this.#meta?.enter(key);
    for (let index = 0; index < pairs.length; index++) {
      const pair = pairs[index];
      if (pair === undefined) continue;
      const [name, value] = pair;
      const rule = this.#rules.findKey(name);
      this.#meta?.enter(index);
      if (rule !== null && covers(rule, value)) pair[1] = this.#filter(1, rule.rule, value);
      else if (!this.#isLeft(name)) pair[1] = this.scrubString(1, value);
      this.#meta?.leave();
    }
    this.#meta?.leave();
  }

  scrubCookies(key: string, pairs: Pairs): void {
    if (this.#isOwn(key)) return void this.#maskInside(key, pairs);
    this.#meta?.enter(key);
    for (let index = 0; index < pairs.length; index++) {
      const pair = pairs[index];
      if (pair === undefined) continue;
      const rule = this.#rules.findCookie(pair[0]);
      this.#meta?.enter(index);
      if (rule === null) pair[1] = this.#rules.isSafe(pair[0]) ? pair[1] : this.scrubString(1, pair[1]);
      else if (isRevealing(pair[1])) pair[1] = this.#filter(1, rule, pair[1]);
      this.#meta?.leave();
    }
    this.#meta?.leave();
  }

  #scrubShortText(key: string, text: string): string {
    const rule = this.#rules.findKey(key);
    return rule !== null && covers(rule, text) ? this.#filter(key, rule.rule, text) : text;
  }

  /** Scrubs a list or object whose key has a rule. */
  #scrubCovered(key: string, value: object, rule: KeyRule): unknown {
    if (rule.rule === "@cookie" && !Array.isArray(value)) {
      this.#scrubCookieFields(key, value as Fields);
      return value;
    }
    if (isTypedValue(value)) {
      this.#meta?.enter(key);
      if (typeof value.value === "string" ? covers(rule, value.value) : rule.covers === "all") {
        value.value = this.#filter("value", rule.rule, value.value);
        value.type = "string";
      }
      this.#meta?.leave();
      return value;
    }
    if (rule.rule === "@own") return this.#maskInside(key, value);
    if (rule.covers === "all") {
      for (const _ in value) return this.#filter(key, rule.rule, value);
      return value;
    }
    return this.#scrubContainer(key, value, rule);
  }

  /** Masks every text and number inside. Lists, objects, keys and the names of pairs stay, because other code relies on them. */
  #maskInside(key: Key, value: object): object | string {
    if (this.#depth >= MAX_DEPTH) {
      this.changed = true;
      return TOO_DEEP;
    }
    this.#depth++;
    this.#meta?.enter(key);
    const fields = value as Fields;
    const isOfPair = isPair(value);
    const isTyped = isTypedValue(value);
    for (const name in fields) {
      const index = Array.isArray(value) ? Number(name) : name;
      const before = fields[name];
      if ((isOfPair && index === 0) || (isTyped && name === "type")) continue;
      if (typeof before === "object" && before !== null) fields[name] = this.#maskInside(index, before);
      else if (typeof before === "number" || (typeof before === "string" && isRevealing(before))) {
        fields[name] = this.#filter(index, "@own", before);
        if (isTyped) fields.type = "string";
      }
    }
    this.#meta?.leave();
    this.#depth--;
    return value;
  }

  #isOwn(key: string): boolean {
    return this.#rules.findKey(key)?.rule === "@own";
  }

  #scrubCookieFields(key: string, cookies: Fields): void {
    this.#meta?.enter(key);
    for (const name in cookies) {
      const value = cookies[name];
      const rule = this.#rules.findCookie(name);
      if (rule !== null && typeof value === "string" && isRevealing(value))
        cookies[name] = this.#filter(name, rule, value);
      else cookies[name] = this.scrubField(name, value);
    }
    this.#meta?.leave();
  }

  /** @param rule rule of the key. It also applies to the texts of a list */
  #scrubContainer(key: Key, value: object, rule: KeyRule | null): object | string {
    if (this.#depth >= MAX_DEPTH) {
      this.changed = true;
      return TOO_DEEP;
    }
    this.#depth++;
    this.#meta?.enter(key);
    if (Array.isArray(value)) this.#scrubList(value, rule);
    else this.scrubFields(value as Fields);
    this.#meta?.leave();
    this.#depth--;
    return value;
  }

  #scrubList(list: unknown[], rule: KeyRule | null): void {
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      if (typeof item === "string") {
        if (rule !== null && covers(rule, item)) list[index] = this.#filter(index, rule.rule, item);
        else if (item.length > 3) {
          const after = this.scrubString(index, item);
          if (after !== item) list[index] = after;
        }
      } else if (typeof item === "object" && item !== null) {
        if (isPair(item)) this.#scrubPair(index, item);
        else {
          const after = this.#scrubContainer(index, item, rule);
          if (after !== item) list[index] = after;
        }
      } else if (typeof item === "number" && item >= 1e14) {
        const after = this.#scrubNumber(index, item);
        if (after !== item) list[index] = after;
      }
    }
  }

  /** Scrubs a list of two values whose first one is text: many SDKs write maps as such pairs. */
  #scrubPair(index: number, pair: [string, unknown]): void {
    this.#meta?.enter(index);
    this.#depth++;
    const [name, value] = pair;
    const rule = this.#rules.findKey(name);
    if (rule === null && typeof value === "string" && this.#rules.isSafe(name)) pair[0] = this.scrubString(0, name);
    else if (rule === null || typeof value !== "string") {
      for (const at of [0, 1]) {
        const item = pair[at];
        if (typeof item === "string") pair[at] = this.scrubString(at, item);
        else if (typeof item === "object" && item !== null) pair[at] = this.#scrubContainer(at, item, rule);
        else if (typeof item === "number") pair[at] = this.#scrubNumber(at, item);
      }
    } else if (covers(rule, value)) pair[1] = this.#filter(1, rule.rule, value);
    this.#depth--;
    this.#meta?.leave();
  }

  /** Whether a text or number under the key is left as it is, without a search. */
  #isLeft(key: string): boolean {
    return ID_KEYS.has(key) || this.#rules.isSafe(key);
  }

  #scrubNumber(key: Key, value: number): number | string {
    return value >= 1e14 && this.#rules.findsShapes && !this.#isLeft(String(key)) && isCardInteger(value)
      ? this.#filter(key, "@creditcard", value)
      : value;
  }

  #filter(key: Key, rule: ScrubRule, original: unknown): string {
    this.changed = true;
    const length = typeof original === "string" ? original.length : undefined;
    this.#meta?.remark(key, rule, "s", 0, FILTERED.length, length);
    return FILTERED;
  }
}

function covers(rule: KeyRule, text: string): boolean {
  return isRevealing(text) && (rule.covers !== "opaque" || isOpaque(text));
}

/** Whether the value is an attribute of a span or log. */
function isTypedValue(value: object): value is { type: unknown; value: unknown } {
  return "value" in value && "type" in value && typeof value.type === "string" && Object.keys(value).length <= 3;
}

function isPair(value: object): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}
