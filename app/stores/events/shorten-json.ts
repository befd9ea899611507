import { isRecord } from "../../domain/is-record.ts";
import { byteLength, ELLIPSIS, findBound, shortenText } from "./shorten-text.ts";

/** Keys by which a deletion of a user's data finds rows. They are kept whole, and before others. */
const NAMES_PEOPLE: ReadonlySet<string> = new Set([
  "user.id",
  "user.email",
  "user.name",
  "user.username",
  "user.ip_address",
  "client.address",
  "clientAddress",
]);
/** Bytes of such a value. Longer ones are cut like others. An e-mail address has at most 254 characters. */
const MAX_NAMING_BYTES = 512;
/** A value is not cut shorter: rather are the last keys left out. */
const MIN_VALUE_BYTES = 64;
/** Nobody searches for longer keys. */
const MAX_KEY_BYTES = 256;

interface Entry {
  key: string;
  value: unknown;
  keyBytes: number;
  valueBytes: number;
  /** What it takes at least. */
  leastBytes: number;
}

/**
 * Shortens the JSON of an object to at most `maxBytes` of UTF-8: long texts are cut, long lists lose their end, and keys that do not
 * fit are left out. Null: the text is not the JSON of an object.
 */
export function shortenJson(text: string, maxBytes: number): string | null {
  if (byteLength(text) <= maxBytes) return text;
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? JSON.stringify(shortenObject(value, maxBytes)) : null;
}

function shortenObject(value: Record<string, unknown>, maxBytes: number): Record<string, unknown> {
  const entries = Object.entries(value).map(toEntry);
  const kept = keepWhatFits(entries, maxBytes - 2);
  const keyBytes = kept.reduce((sum, entry) => sum + entry.keyBytes, 0);
  const fixed = kept.filter(isFixed);
  const fixedBytes = fixed.reduce((sum, { valueBytes }) => sum + valueBytes, 0);
  const bound = findBound(
    kept.filter((entry) => !isFixed(entry)).map(({ valueBytes }) => valueBytes),
    maxBytes - 2 - keyBytes - fixedBytes,
  );
  const isKept = new Set(kept);
  const shortened: Record<string, unknown> = {};
  for (const entry of entries) {
    if (!isKept.has(entry)) continue;
    // Not by assignment: a key may be `__proto__`.
    Object.defineProperty(shortened, entry.key, {
      value: isFixed(entry) || entry.valueBytes <= bound ? entry.value : shortenValue(entry.value, bound),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return shortened;
}

function toEntry([key, value]: [string, unknown]): Entry {
  // With a colon and a comma.
  const keyBytes = jsonBytes(key) + 2;
  const valueBytes = jsonBytes(value);
  const leastBytes = Math.min(valueBytes, NAMES_PEOPLE.has(key) ? MAX_NAMING_BYTES : MIN_VALUE_BYTES);
  return { key, value, keyBytes, valueBytes, leastBytes };
}

function isFixed({ key, valueBytes }: Entry): boolean {
  return NAMES_PEOPLE.has(key) && valueBytes <= MAX_NAMING_BYTES;
}

function keepWhatFits(entries: readonly Entry[], maxBytes: number): Entry[] {
  const first = entries.filter(({ key }) => NAMES_PEOPLE.has(key));
  const kept: Entry[] = [];
  let left = maxBytes;
  for (const entry of [...first, ...entries.filter(({ key }) => !NAMES_PEOPLE.has(key))]) {
    const bytes = entry.keyBytes + entry.leastBytes;
    if (bytes > left || entry.keyBytes > MAX_KEY_BYTES) continue;
    left -= bytes;
    kept.push(entry);
  }
  return kept;
}

/** @param maxBytes of its JSON */
function shortenValue(value: unknown, maxBytes: number): unknown {
  if (typeof value === "string") return shortenString(value, maxBytes);
  if (Array.isArray(value)) return shortenList(value, maxBytes);
  return isRecord(value) ? shortenObject(value, maxBytes) : value;
}

/** What JSON escapes takes more bytes than it says. */
function shortenString(text: string, maxBytes: number): string {
  for (let bytes = maxBytes - 2; bytes > ELLIPSIS.length * 3; bytes = Math.floor(bytes / 2)) {
    const shortened = shortenText(text, bytes);
    if (jsonBytes(shortened) <= maxBytes) return shortened;
  }
  return "";
}

function shortenList(values: readonly unknown[], maxBytes: number): unknown[] {
  const kept: unknown[] = [];
  let left = maxBytes - 2;
  for (const value of values) {
    left -= jsonBytes(value) + 1;
    if (left < 0) break;
    kept.push(value);
  }
  return kept;
}

function jsonBytes(value: unknown): number {
  return byteLength(JSON.stringify(value) ?? "");
}
