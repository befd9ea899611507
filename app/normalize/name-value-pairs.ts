import { isRecord } from "../domain/is-record.ts";
import { decodePercent } from "../protocol/query-string.ts";
import { copyText } from "./copy-text.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { LIMITS, toTrimmedText, trimText } from "./trimming.ts";

export type Pair = [name: string, value: string];

/** How to read a map that SDKs write in many forms. */
export interface PairForm {
  /** Parses the text form, like a query string or a cookie header. */
  parseText(text: string): Pair[];
  toName?(name: string): string;
  /** Whether values of a list belong to one pair, joined by a comma, or make a pair each. */
  joinsLists: boolean;
}

/**
 * Ordered pairs from text, an object, or a list of pairs or of `{ name | key, value }`. Null when there are none.
 * The place of `meta` is what has the field at `key`.
 */
export function normalizePairs(value: unknown, form: PairForm, meta: MetaRecorder, key: string): Pair[] | null {
  if (value === null || value === undefined || value === "") return null;
  const collector: Collector = { pairs: [], form, meta };
  meta.enter(key);
  if (typeof value === "string") collector.pairs.push(...form.parseText(value));
  else if (Array.isArray(value)) collectList(value, collector);
  else if (isRecord(value)) collectObject(value, collector);
  else meta.invalid(null, "expected an object or a list of pairs", value);
  const { pairs } = collector;
  if (pairs.length > LIMITS.pairs) {
    pairs.length = LIMITS.pairs;
    meta.removed(null);
  }
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index];
    if (pair === undefined || (pair[1].length <= LIMITS.pairValue && pair[0].length <= LIMITS.tagKey)) continue;
    meta.enter(index);
    pair[0] = trimText(pair[0], LIMITS.tagKey, meta, 0);
    pair[1] = trimText(pair[1], LIMITS.pairValue, meta, 1);
    meta.leave();
  }
  meta.leave();
  return pairs.length === 0 ? null : pairs;
}

interface Collector {
  pairs: Pair[];
  form: PairForm;
  meta: MetaRecorder;
}

function collectObject(value: Record<string, unknown>, collector: Collector): void {
  const firstIndexByName = collector.meta.hasNotes() ? new Map<string, number>() : null;
  for (const name in value) {
    firstIndexByName?.set(name, collector.pairs.length);
    add(name, value[name], collector);
  }
  if (firstIndexByName === null) return;
  collector.meta.relocate((name) => {
    const index = firstIndexByName.get(name);
    return index === undefined || index >= collector.pairs.length ? null : [String(index), "1"];
  });
}

function collectList(list: unknown[], collector: Collector): void {
  for (const entry of list) {
    if (Array.isArray(entry)) {
      const name = toLenientString(entry[0]);
      if (name !== null && entry.length > 0) add(name, entry[1], collector);
    } else if (isRecord(entry)) {
      const name = toLenientString(entry.name ?? entry.key);
      if (name !== null) add(name, entry.value, collector);
    } else if (typeof entry === "string") {
      for (const pair of collector.form.parseText(entry)) add(pair[0], pair[1], collector);
    }
  }
}

function add(name: string, value: unknown, collector: Collector): void {
  const { pairs, form, meta } = collector;
  const normalName = form.toName === undefined ? name : form.toName(name.trim());
  if (normalName === "") return;
  if (typeof value === "string") pairs.push([normalName, value]);
  else if (Array.isArray(value)) {
    const texts = value.filter((item) => item !== null && item !== undefined).map((item) => toText(item, meta, name));
    if (form.joinsLists) {
      if (texts.length > 0) pairs.push([normalName, texts.join(",")]);
    } else for (const text of texts) pairs.push([normalName, text]);
  } else if (value !== null && value !== undefined) pairs.push([normalName, toText(value, meta, name)]);
}

function toText(value: unknown, meta: MetaRecorder, key: string): string {
  return toLenientString(value) ?? toTrimmedText(value, LIMITS.pairValue, meta, key);
}

/** The pairs of a query string or form body, with or without the `?`. */
export function parseQueryPairs(text: string): Pair[] {
  const pairs: Pair[] = [];
  const query = text.startsWith("?") ? text.slice(1) : text;
  for (const part of query.split("&", LIMITS.pairs + 1)) {
    if (part === "") continue;
    const at = part.indexOf("=");
    pairs.push(at < 0 ? [decodeForm(part), ""] : [decodeForm(part.slice(0, at)), decodeForm(part.slice(at + 1))]);
  }
  return pairs;
}

function decodeForm(text: string): string {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** The pairs of a `Cookie` header. Values stay as they are: what encoding they have is the application's affair. */
export function parseCookiePairs(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split(";", LIMITS.pairs + 1)) {
    const at = part.indexOf("=");
    const name = (at < 0 ? part : part.slice(0, at)).trim();
    if (name !== "") pairs.push([name, at < 0 ? "" : part.slice(at + 1).trim()]);
  }
  return pairs;
}

/** The pairs of headers as they stand in a request: one in a line. */
export function parseHeaderPairs(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const line of text.split("\n", LIMITS.pairs + 1)) {
    const at = line.indexOf(":");
    if (at > 0) pairs.push([toTitleCase(line.slice(0, at).trim()), line.slice(at + 1).trim()]);
  }
  return pairs;
}

/** Python's way of printing bytes, `b'a=1'`, without its wrapping. */
export function unwrapBytesRepr(text: string): string {
  const quote = text.charCodeAt(1);
  if (text.charCodeAt(0) !== 98 || text.length < 3 || (quote !== 39 && quote !== 34)) return text;
  return text.charCodeAt(text.length - 1) === quote ? text.slice(2, -1) : text;
}

const MAX_CACHED_NAMES = 1_000;
const titleCaseByName = new Map<string, string>();

/** `x-forwarded-for` becomes `X-Forwarded-For`. */
export function toTitleCase(name: string): string {
  const known = titleCaseByName.get(name);
  if (known !== undefined) return known;
  if (name.length > LIMITS.tagKey) return name;
  const titled = copyText(name)
    .toLowerCase()
    .replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
  if (titleCaseByName.size >= MAX_CACHED_NAMES) titleCaseByName.clear();
  titleCaseByName.set(copyText(name), titled);
  return titled;
}
