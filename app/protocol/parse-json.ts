import { setField } from "../domain/set-field.ts";

/** Containers inside one another; deeper ones are cut off, so that readers of the value may recurse. */
const MAX_NESTING = 200;

export type JsonRepair =
  /** `NaN` and `Infinity` became null. */
  | "not-a-number"
  /** Raw line breaks and the like inside strings, which JSON wants escaped. */
  | "control-character"
  /** U+0000 was removed: databases refuse it. */
  | "nul"
  /** Half of a surrogate pair became U+FFFD. */
  | "lone-surrogate"
  /** Bytes that are no UTF-8 became U+FFFD. */
  | "invalid-utf8"
  /** Integers beyond 2^53, and numbers that no double holds, became text, to keep all their digits. */
  | "large-number"
  /** Values that nest too deeply were replaced by `…`. */
  | "deep-nesting"
  /** Keys `__proto__` were dropped. */
  | "prototype-key";

export type ParsedJson =
  | { ok: true; value: unknown; repairs: JsonRepair[] }
  | { ok: false; reason: "empty" | "not JSON" };

/**
 * Parses JSON as real SDKs write it. It skips a byte order mark, turns invalid UTF-8 into U+FFFD, and repairs errors that strict parsers
 * refuse if their meaning is clear. Of duplicate keys, the last one counts. Keys `__proto__` are dropped, so that the value may be copied
 * key by key.
 *
 * @param options.keepsPrototypeKeys keys `__proto__` stay as own fields: code that copies them uses `setField`
 * @param options.textFields a large number in one of these fields stays a number, for readers that refuse a text there
 */
export function parseJson(bytes: Uint8Array, { keepsPrototypeKeys = false, textFields = NO_FIELDS } = {}): ParsedJson {
  const repairs: JsonRepair[] = [];
  let text = decode(bytes, repairs);
  // V8 parses without recursion, but each bracket of a large body of brackets would become an object first.
  if (bytes.length > MAX_UNSCANNED_BYTES && isNestedTooDeeply(bytes)) text = cutNesting(text, repairs);
  let parsedText = text;
  let value = parseOrUndefined(text);
  if (value === undefined) {
    if (text.trim() === "") return { ok: false, reason: "empty" };
    const repaired = repairText(text, repairs);
    value = repaired === null ? undefined : parseOrUndefined(repaired);
    if (repaired === null || value === undefined) return { ok: false, reason: "not JSON" };
    parsedText = repaired;
  }
  if (typeof value === "object" && value !== null) {
    let findings = inspect(value);
    if (findings.isTooDeep) {
      parsedText = cutNesting(parsedText, repairs);
      value = JSON.parse(parsedText);
      findings = inspect(value);
    }
    if (findings.hasLargeNumber) value = JSON.parse(parsedText, createLargeNumberReviver(repairs, textFields));
    if (findings.hasPrototypeKey && !keepsPrototypeKeys) {
      dropPrototypeKeys(value);
      repairs.push("prototype-key");
    }
  }
  if (parsedText.includes("\\u")) value = repairEscapes(value, { text: parsedText, repairs, keepsPrototypeKeys });
  return { ok: true, value, repairs };
}

/**
 * Parses the same JSON for callers that look at a field or two before `parseJson` reads all of it. Keys and numbers are those of
 * JSON.parse, because checking them takes many times as long. Undefined: it is no JSON.
 *
 * It runs on the main thread, and a kilobyte of gzip may be a megabyte of brackets. As objects they took 50 to 110 ms of the thread; cut
 * off, they take 6 to 10.
 *
 * @param maxNesting 1 for callers that look at fields alone: a megabyte of empty lists beside each other takes as long as nested ones.
 */
export function glanceAtJson(bytes: Uint8Array, maxNesting = MAX_NESTING): unknown {
  let text = decode(bytes, []);
  if (bytes.length > MAX_UNSCANNED_GLANCE_BYTES && isNestedTooDeeply(bytes, maxNesting))
    text = cutNesting(text, [], maxNesting);
  const value = parseOrUndefined(text);
  if (value !== undefined) return value;
  const repaired = repairText(text, []);
  return repaired === null ? undefined : parseOrUndefined(repaired);
}

/** Larger bytes are checked for depth before they become objects. */
const MAX_UNSCANNED_BYTES = 262_144;
const MAX_UNSCANNED_GLANCE_BYTES = 32_768;

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array, repairs: JsonRepair[]): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = hasMark ? buffer.toString("utf8", 3) : buffer.toString("utf8");
  if (text.includes("\ufffd") && !isUtf8(bytes)) repairs.push("invalid-utf8");
  return text;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Reads each byte once. Strings are skipped, so that brackets in them do not count. */
function isNestedTooDeeply(bytes: Uint8Array, maxNesting = MAX_NESTING): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isInString = false;
    } else if (byte === 0x22) isInString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxNesting) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/** The text with `"…"` in place of each container that is too deep; as little JSON as before where brackets do not close. */
function cutNesting(text: string, repairs: JsonRepair[], maxNesting = MAX_NESTING): string {
  repairs.push("deep-nesting");
  let kept = "";
  let copiedTo = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth !== maxNesting + 1) continue;
      kept += `${text.slice(copiedTo, at)}"…"`;
      copiedTo = at;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth-- === maxNesting + 1) copiedTo = at + 1;
    }
  }
  return kept + text.slice(copiedTo);
}

interface Findings {
  isTooDeep: boolean;
  hasLargeNumber: boolean;
  hasPrototypeKey: boolean;
}

/** Walks over the containers once, which costs a fifth of the parsing. Three searches of the text would cost as much. */
function inspect(value: unknown): Findings {
  const findings: Findings = { isTooDeep: false, hasLargeNumber: false, hasPrototypeKey: false };
  findings.isTooDeep = typeof value === "object" && value !== null && !isShallow(value, 1, findings);
  return findings;
}

function isShallow(value: object, depth: number, findings: Findings): boolean {
  if (depth > MAX_NESTING) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object") {
        if (item !== null && !isShallow(item, depth + 1, findings)) return false;
      } else if (typeof item === "number" && isLargeNumber(item)) findings.hasLargeNumber = true;
    }
    return true;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    const item = object[key];
    if (typeof item === "object") {
      if (item !== null && !isShallow(item, depth + 1, findings)) return false;
    } else if (typeof item === "number" && isLargeNumber(item)) findings.hasLargeNumber = true;
    if (key === "__proto__") findings.hasPrototypeKey = true;
  }
  return true;
}

function isLargeNumber(value: number): boolean {
  return (
    (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) &&
    (Number.isInteger(value) || !Number.isFinite(value))
  );
}

function dropPrototypeKeys(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    if (key === "__proto__") delete object[key];
    else dropPrototypeKeys(object[key]);
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const NO_FIELDS: ReadonlySet<string> = new Set();

function createLargeNumberReviver(repairs: JsonRepair[], textFields: ReadonlySet<string>): Reviver {
  return function toText(key, value, context) {
    if (typeof value !== "number" || !isLargeNumber(value) || textFields.has(key)) return value;
    const source = context?.source;
    if (source === undefined) return value;
    if (Number.isFinite(value) && (!/^-?\d{16,400}$/.test(source) || (key === "value" && !isInteger(this))))
      return value;
    if (!repairs.includes("large-number")) repairs.push("large-number");
    return source;
  };
}

/**
 * Whether the object with a `value` is a typed attribute, whose integers may be text (protocol 4.4). In other objects (measurements,
 * metrics) the value stays a number, because a text would contradict its type.
 */
function isInteger(holder: unknown): boolean {
  return typeof holder === "object" && holder !== null && "type" in holder && holder.type === "integer";
}

/** Null when nothing can be repaired. A text without faults is only read: it is as long as the sender wishes. */
function repairText(text: string, repairs: JsonRepair[]): string | null {
  let repaired = "";
  let copiedTo = 0;
  let isInString = false;
  const replace = (from: number, to: number, by: string, repair: JsonRepair): void => {
    repaired += text.slice(copiedTo, from) + by;
    copiedTo = to;
    if (!repairs.includes(repair)) repairs.push(repair);
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) isInString = false;
      else if (code === 0) replace(at, at + 1, "", "nul");
      else if (code < 0x20) replace(at, at + 1, `\\u00${code.toString(16).padStart(2, "0")}`, "control-character");
    } else if (code === 0x22) isInString = true;
    else if (code === 0x4e && text.startsWith("NaN", at)) {
      replace(at, at + 3, "null", "not-a-number");
      at += 2;
    } else if (code === 0x49 && text.startsWith("Infinity", at)) {
      const start = text.charCodeAt(at - 1) === 0x2d ? at - 1 : at;
      replace(start, at + 8, "null", "not-a-number");
      at += 7;
    }
  }
  return copiedTo === 0 ? null : repaired + text.slice(copiedTo);
}

const LONE_ESCAPE =
  /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}/;

function repairEscapes(
  value: unknown,
  { text, repairs, keepsPrototypeKeys }: { text: string; repairs: JsonRepair[]; keepsPrototypeKeys: boolean },
): unknown {
  const hasNul = text.includes("\\u0000");
  const hasLoneSurrogate = LONE_ESCAPE.test(text);
  if (hasNul) repairs.push("nul");
  if (hasLoneSurrogate) repairs.push("lone-surrogate");
  return hasNul || hasLoneSurrogate ? cleanStrings(value, keepsPrototypeKeys) : value;
}

/** Changes the value in place if possible. `MAX_NESTING` bounds the recursion. */
function cleanStrings(value: unknown, keepsPrototypeKeys: boolean): unknown {
  if (typeof value === "string") return cleanString(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = cleanStrings(value[index], keepsPrototypeKeys);
    return value;
  }
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    const cleaned = cleanStrings(object[key], keepsPrototypeKeys);
    const cleanKey = cleanString(key);
    if (cleanKey !== key) delete object[key];
    if (keepsPrototypeKeys || cleanKey !== "__proto__") setField(object, cleanKey, cleaned);
  }
  return object;
}

function cleanString(text: string): string {
  const withoutNul = text.includes("\u0000") ? text.replaceAll("\u0000", "") : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}
