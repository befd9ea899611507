import { createHmac } from "node:crypto";
import { readScrubRules, type ScrubLine } from "../domain/privacy/scrub-rules/scrub-rule.ts";
import { findRoot, matchesSelector, type Place } from "../domain/privacy/scrub-rules/selector.ts";
import { STRUCTURAL_KEYS } from "../domain/privacy/structural-keys.ts";
import { findCardNumbers, type TextRange } from "./find-card-numbers.ts";
import { findKeyRule } from "./find-key-rule.ts";

/** Replaces values by rules that name places. */
export interface PathScrubber {
  /** Scrubs the object in place. `skips`: keys of the outermost object that are not touched. Returns the paths that changed. */
  scrub(value: object, skips?: ReadonlySet<string>): Array<ReadonlyArray<string | number>>;
}

/** Characters that every match of a pattern contains. Most texts do not have them, and need no search. */
const NEEDED: Readonly<Record<string, RegExp>> = {
  email: /@/,
  ip: /[.:]/,
  iban: /\d\d/,
  uuid: /-/,
  mac: /[:-]/,
  usssn: /-/,
};

const PATTERNS: Readonly<Record<string, RegExp>> = {
  email: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  ip: /(?<![\w.:])(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4})(?![\w:])/giu,
  iban: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/gu,
  uuid: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu,
  mac: /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b/giu,
  usssn: /\b\d{3}-\d{2}-\d{4}\b/gu,
};

interface Rule {
  line: ScrubLine;
  /** Finds the ranges to replace. Null: the whole value is replaced. */
  find: ((text: string) => TextRange[]) | null;
  /** The key of the outermost object at which the rule begins. Null: any. */
  root: string | null;
}

const MAX_DEPTH = 100;

/** Null: there is no rule. @param hashKey secret of the project, so that nobody finds a value by hashing guesses */
export function compilePathRules(text: string, hashKey: string): PathScrubber | null {
  const read = readScrubRules(text);
  if (!read.ok || read.rules.length === 0) return null;
  const rules = read.rules.map((line): Rule => ({ line, find: toFinder(line), root: findRoot(line.places) }));
  return {
    scrub(value, skips) {
      const walk = new Walk(rules, hashKey);
      walk.enter(value, skips);
      return walk.changed;
    },
  };
}

class Walk {
  readonly changed: Array<ReadonlyArray<string | number>> = [];
  readonly #rules: readonly Rule[];
  readonly #hashKey: string;
  readonly #path: Array<string | number> = [];
  readonly #folded: Array<string | number> = [];

  constructor(rules: readonly Rule[], hashKey: string) {
    this.#rules = rules;
    this.#hashKey = hashKey;
  }

  enter(value: object, skips?: ReadonlySet<string>): void {
    if (this.#path.length > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const item: unknown = value[index];
        // Pairs of tags and headers are named by their keys.
        if (Array.isArray(item) && item.length === 2 && typeof item[0] === "string") this.#visit(item, 1, item[0]);
        else this.#visit(value, index, index);
      }
      return;
    }
    const isOfFrame = this.#path.at(-2) === "frames";
    const isOfException = this.#path.length === 3 && this.#path[0] === "exception";
    for (const key of Object.keys(value)) {
      if (skips?.has(key)) continue;
      // Lines of code and names of errors stay: issues are told apart by them.
      if (isOfFrame && key !== "vars") continue;
      if (isOfException && (key === "type" || key === "module")) continue;
      this.#visit(value as Record<string, unknown>, key, key);
    }
  }

  #visit(holder: Record<string | number, unknown> | unknown[], key: string | number, name: string | number): void {
    const fields = holder as Record<string | number, unknown>;
    const value = fields[key];
    if (value === null || value === undefined || value === "") return;
    this.#path.push(name);
    this.#folded.push(typeof name === "string" ? name.toLowerCase() : name);
    if (typeof value === "object") {
      const typed = value as { type?: unknown; value?: unknown };
      // An attribute of a span or a log line. Errors look the same, but they are in lists.
      if (
        typeof name === "string" &&
        typeof typed.type === "string" &&
        "value" in typed &&
        Object.keys(typed).length <= 3
      ) {
        const after = typeof typed.value === "object" ? typed.value : this.#judge(typed.value, name);
        if (after !== typed.value) Object.assign(typed, { value: after, type: "string" });
        else if (typeof typed.value === "object" && typed.value !== null) this.enter(typed.value);
      } else this.enter(value);
    } else {
      const after = this.#judge(value, name);
      if (after !== value) fields[key] = after;
    }
    this.#path.pop();
    this.#folded.pop();
  }

  #judge(value: unknown, name: string | number): unknown {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return value;
    if (typeof name === "string" && STRUCTURAL_KEYS.has(name)) return value;
    const place: Place = { path: this.#path, folded: this.#folded, type: typeof value as Place["type"] };
    let text = String(value);
    let isChanged = false;
    const root = this.#folded[0];
    for (const { line, find, root: wanted } of this.#rules) {
      if (wanted !== null && wanted !== root) continue;
      if (line.what.kind === "password" && (typeof name !== "string" || findKeyRule(name) === null)) continue;
      if (!matchesSelector(line.places, place)) continue;
      const ranges = find === null ? [{ start: 0, end: text.length }] : find(text);
      if (ranges.length === 0) continue;
      text = replaceRanges(text, ranges, (part) => this.#replace(line, part));
      isChanged = true;
      if (text === "") break;
    }
    if (!isChanged) return value;
    this.changed.push([...this.#path]);
    return text;
  }

  #replace({ method, replacement }: ScrubLine, text: string): string {
    switch (method) {
      case "remove":
        return "";
      case "mask":
        return "*".repeat(text.length);
      case "hash":
        return createHmac("sha256", this.#hashKey).update(text).digest("hex").slice(0, 32);
      case "replace":
        return replacement;
    }
  }
}

function toFinder({ what }: ScrubLine): Rule["find"] {
  if (what.kind === "anything" || what.kind === "password") return null;
  if (what.kind === "creditcard") return findCardNumbers;
  const pattern =
    what.kind === "pattern" ? new RegExp(what.source, what.isCaseless ? "giu" : "gu") : (PATTERNS[what.kind] as RegExp);
  const needed = what.kind === "pattern" ? null : (NEEDED[what.kind] ?? null);
  return (text) => {
    if (needed?.test(text) === false) return [];
    return Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));
  };
}

function replaceRanges(text: string, ranges: readonly TextRange[], replace: (part: string) => string): string {
  let after = "";
  let at = 0;
  for (const { start, end } of ranges) {
    after += text.slice(at, start) + replace(text.slice(start, end));
    at = end;
  }
  return after + text.slice(at);
}
