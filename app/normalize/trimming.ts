import { isRecord } from "../domain/is-record.ts";
import type { JsonObject } from "./json-object.ts";
import { toJsonText } from "./json-text.ts";
import type { MetaRecorder } from "./meta.ts";

/**
 * The size limits of the parts of an event. Lengths of text are in UTF-16 code units; sizes of trees are about the length of their JSON.
 * The numbers are Sentry's (protocol 5.1), unless marked as ours.
 */
export const LIMITS = {
  message: 8_192,
  exceptionType: 128,
  exceptionModule: 200,
  transaction: 200,
  /** Ours: names of Tomcat's loggers have over 80 characters, and each Spring error comes from one. */
  logger: 200,
  dist: 64,
  environment: 64,
  serverName: 256,
  tagKey: 200,
  tagValue: 200,
  /** The innermost frames that are kept. */
  frames: 250,
  /** Ours: the outermost frames of a longer stack that are kept. They show how the program got there. */
  outermostFrames: 50,
  /** Beyond this many frames, only this many keep their locals and surrounding lines. */
  framesWithContext: 50,
  breadcrumbs: 100,
  /** Ours: exceptions of a chain or group. The outermost are kept. */
  exceptions: 250,
  /** Ours: each of a frame's texts, and each line of source. */
  frameText: 1_024,
  /** Ours: paths and URLs. */
  url: 2_048,
  /** Ours: names, ids and addresses of a user. */
  userText: 255,
  /** Ours: a header's value, a cookie, a query parameter. */
  pairValue: 8_192,
  /** Ours: headers, cookies or query parameters in one event. */
  pairs: 200,
  /** Ours: a text without a rule. */
  otherText: 1_024,
} as const;

export interface TreeLimit {
  /** Containers inside one another, the outermost included. */
  maxDepth: number;
  /** Approximate size of the JSON. */
  maxSize: number;
}

export const TREE_LIMITS = {
  extraTotal: 262_144,
  extra: { maxDepth: 7, maxSize: 16_384 },
  context: { maxDepth: 5, maxSize: 8_192 },
  requestData: { maxDepth: 7, maxSize: 16_384 },
  vars: { maxDepth: 5, maxSize: 8_192 },
  modules: { maxDepth: 7, maxSize: 8_192 },
  breadcrumbData: { maxDepth: 5, maxSize: 4_096 },
  small: { maxDepth: 5, maxSize: 8_192 },
  /** Ours: fields of an interface that the protocol does not name. */
  unknown: { maxDepth: 5, maxSize: 4_096 },
} as const satisfies Record<string, TreeLimit | number>;

/** Cuts to `maxLength`, the last three being dots, and never inside a surrogate pair. */
export function trimString(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = maxLength - 3;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end)}...`;
}

/** Like `trimString`, with a note in `meta` when something was cut. */
export function trimText(text: string, maxLength: number, meta: MetaRecorder, key: string | number | null): string {
  if (text.length <= maxLength) return text;
  meta.trimmed(key, maxLength, text.length);
  return trimString(text, maxLength);
}

/** Converts a value to text, because text is expected: objects and lists become JSON, cut to `maxLength`. */
export function toTrimmedText(value: unknown, maxLength: number, meta: MetaRecorder, key: string | number): string {
  if (typeof value === "string") return trimText(value, maxLength, meta, key);
  const { text, isWhole } = toJsonText(value, maxLength);
  if (isWhole && text.length <= maxLength) return text;
  meta.remark(key, "!limit", "s", maxLength - 3, maxLength);
  return text.length > maxLength ? trimString(text, maxLength) : text;
}

/** A string that would have to be cut to less than this is dropped. */
const MIN_USEFUL_LENGTH = 32;
const DROPPED = Symbol("dropped");

/** The remaining size of the present tree. Trimming is synchronous, so there is only one tree at a time. */
let sizeLeft = 0;

/**
 * Fits a tree of the sender into its limit, in place if possible: values that nest too deeply become their JSON text, and surplus values at
 * the end are left out. Returns the value to store, or undefined when nothing of it fits.
 */
export function trimTree(value: unknown, limit: TreeLimit, meta: MetaRecorder, key: string | number): unknown {
  if (typeof value === "string") return trimText(value, limit.maxSize, meta, key);
  if (typeof value !== "object" || value === null) return value;
  sizeLeft = limit.maxSize;
  const trimmed = trimNode(value, limit.maxDepth, meta, key);
  return trimmed === DROPPED ? undefined : trimmed;
}

/** Like `trimTree` for an object, which stays an object. Null when the object is, or becomes, empty. */
export function trimObject(
  object: JsonObject,
  limit: TreeLimit,
  meta: MetaRecorder,
  key: string | number,
): JsonObject | null {
  sizeLeft = limit.maxSize;
  meta.enter(key);
  trimFields(object, limit.maxDepth, meta);
  meta.leave();
  for (const _ in object) return object;
  return null;
}

/** Converts a value to an object, because an object is expected: a list or a single value becomes `{ value }`. */
export function toTrimmedObject(
  value: unknown,
  limit: TreeLimit,
  meta: MetaRecorder,
  key: string | number,
): JsonObject | null {
  if (value === null || value === undefined) return null;
  if (isRecord(value)) return trimObject(value, limit, meta, key);
  if (Array.isArray(value) && value.length === 0) return null;
  return trimObject({ value }, limit, meta, key);
}

/** The size that the last trimmed tree took. */
export function lastTreeSize(limit: TreeLimit): number {
  return limit.maxSize - sizeLeft;
}

function trimNode(value: unknown, depthLeft: number, meta: MetaRecorder, key: string | number): unknown {
  if (typeof value === "string") {
    const size = value.length + 3;
    if (size <= sizeLeft) {
      sizeLeft -= size;
      return value;
    }
    return trimToRest(value, meta, key);
  }
  if (typeof value !== "object" || value === null) {
    sizeLeft -= typeof value === "number" && (value > 999 || value < 0) ? 12 : 5;
    return typeof value === "bigint" ? String(value) : value;
  }
  if (depthLeft === 0) return isEmpty(value) ? value : toTextAtDepthLimit(value, meta, key);
  meta.enter(key);
  if (Array.isArray(value)) trimItems(value, depthLeft, meta);
  else trimFields(value as JsonObject, depthLeft, meta);
  meta.leave();
  return value;
}

function trimToRest(text: string, meta: MetaRecorder, key: string | number): string | typeof DROPPED {
  const maxLength = sizeLeft - 3;
  if (maxLength < MIN_USEFUL_LENGTH) {
    sizeLeft = 0;
    return DROPPED;
  }
  sizeLeft = 0;
  return trimText(text, maxLength, meta, key);
}

function toTextAtDepthLimit(value: object, meta: MetaRecorder, key: string | number): string | typeof DROPPED {
  const { text } = toJsonText(value, sizeLeft);
  meta.remark(key, "!limit", "s", 0, text.length);
  if (text.length + 3 > sizeLeft) return trimToRest(text, meta, key);
  sizeLeft -= text.length + 3;
  return text;
}

function trimItems(list: unknown[], depthLeft: number, meta: MetaRecorder): void {
  sizeLeft -= 2;
  for (let index = 0; index < list.length; index++) {
    const before = list[index];
    const after = sizeLeft > 0 ? trimNode(before, depthLeft - 1, meta, index) : DROPPED;
    if (after === DROPPED) {
      list.length = index;
      meta.removed(null);
      return;
    }
    if (after !== before) list[index] = after;
  }
}

function trimFields(object: JsonObject, depthLeft: number, meta: MetaRecorder): void {
  sizeLeft -= 2;
  let isCut = false;
  for (const key in object) {
    if (isCut || key === "__proto__") {
      if (!isCut) meta.invalid(null, "the key __proto__ is not allowed");
      delete object[key];
      continue;
    }
    sizeLeft -= key.length + 3;
    const before = object[key];
    const after = sizeLeft > 0 ? trimNode(before, depthLeft - 1, meta, key) : DROPPED;
    if (after === DROPPED) {
      delete object[key];
      isCut = true;
      meta.removed(null);
    } else if (after !== before) object[key] = after;
  }
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
