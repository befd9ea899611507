import { isRecord } from "../domain/is-record.ts";
import type { JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { LIMITS, TREE_LIMITS, type TreeLimit, toTrimmedObject, toTrimmedText, trimText, trimTree } from "./trimming.ts";

export type FieldRule =
  /** Numbers and booleans become text, objects their JSON; an empty string is absent. */
  | { kind: "text"; maxLength: number }
  /** Like `text`, but an empty string is a value. */
  | { kind: "message"; maxLength: number }
  /** Counts from 1; zero and less mean that it is not known. */
  | { kind: "position" }
  | { kind: "integer" }
  | { kind: "flag" }
  /** An address in memory: hex text with `0x`. */
  | { kind: "address" }
  /** Thread ids and the like: text or a number. */
  | { kind: "id" }
  /** Lines of source code. */
  | { kind: "lines" }
  | { kind: "object"; limit: TreeLimit }
  /** Not touched here: the interface has its own code for it. */
  | { kind: "own" }
  /** Made by servers, so not believed. */
  | { kind: "dropped" };

export type FieldRules = ReadonlyMap<string, FieldRule>;

export function createFieldRules(rules: Record<string, FieldRule>): FieldRules {
  return new Map(Object.entries(rules));
}

export const OWN = { kind: "own" } as const satisfies FieldRule;
export const FLAG = { kind: "flag" } as const satisfies FieldRule;
export const INTEGER = { kind: "integer" } as const satisfies FieldRule;
export const ID = { kind: "id" } as const satisfies FieldRule;

export function text(maxLength: number): FieldRule {
  return { kind: "text", maxLength };
}

export function object(limit: TreeLimit): FieldRule {
  return { kind: "object", limit };
}

/**
 * Converts the fields of an interface by their rules, in place. Fields without a rule are kept, within a limit. It makes one pass over the
 * existing keys, which is cheaper than reading each possible field.
 */
export function normalizeFields(target: JsonObject, rules: FieldRules, meta: MetaRecorder): void {
  for (const key in target) {
    const value = target[key];
    const rule = rules.get(key);
    if (rule === undefined) {
      if (key === "__proto__") delete target[key];
      else if (
        typeof value === "object" ? value !== null : typeof value === "string" && value.length > LIMITS.otherText
      ) {
        target[key] = trimTree(value, TREE_LIMITS.unknown, meta, key);
      }
      continue;
    }
    // The two cases that nearly every field is.
    if (typeof value === "string" && rule.kind === "text" && value.length <= rule.maxLength && value !== "") continue;
    if (rule.kind === "own") continue;
    if (value === null || value === undefined || rule.kind === "dropped") {
      target[key] = undefined;
      continue;
    }
    const normal = normalizeField(value, rule, meta, key);
    if (normal !== value) target[key] = normal;
  }
}

function normalizeField(value: unknown, rule: FieldRule, meta: MetaRecorder, key: string): unknown {
  switch (rule.kind) {
    case "text":
      return value === "" ? undefined : toBoundedText(value, rule.maxLength, meta, key);
    case "message":
      return toBoundedText(value, rule.maxLength, meta, key);
    case "position":
      return toPosition(value, meta, key);
    case "integer":
      return toInteger(value, meta, key);
    case "flag":
      return toFlag(value, meta, key);
    case "address":
      return toAddress(value, meta, key);
    case "id":
      return toId(value, meta, key);
    case "lines":
      return toLines(value, meta, key);
    case "object":
      return toTrimmedObject(value, rule.limit, meta, key) ?? undefined;
    default:
      return value;
  }
}

function toBoundedText(value: unknown, maxLength: number, meta: MetaRecorder, key: string): string {
  const lenient = toLenientString(value);
  return lenient === null ? toTrimmedText(value, maxLength, meta, key) : trimText(lenient, maxLength, meta, key);
}

/** No line or column has a greater number. */
const MAX_POSITION = 2 ** 32;

function toPosition(value: unknown, meta: MetaRecorder, key: string): number | undefined {
  const number = toInteger(value, meta, key, MAX_POSITION);
  return number !== undefined && number > 0 ? number : undefined;
}

function toInteger(
  value: unknown,
  meta: MetaRecorder,
  key: string,
  largest = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && number <= largest && number >= -largest) return Math.trunc(number);
  if (value !== "") meta.invalid(key, "expected an integer", value);
  return undefined;
}

function toFlag(value: unknown, meta: MetaRecorder, key: string): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === "1") return true;
  if (value === 0 || value === "0") return false;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (word === "true" || word === "yes") return true;
  if (word === "false" || word === "no") return false;
  meta.invalid(key, "expected a boolean", value);
  return undefined;
}

function toAddress(value: unknown, meta: MetaRecorder, key: string): string | undefined {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return `0x${value.toString(16)}`;
  if (typeof value === "string") {
    if (/^0x[0-9a-f]{1,32}$/i.test(value)) return value;
    if (/^\d{1,20}$/.test(value)) return `0x${BigInt(value).toString(16)}`;
    if (value === "") return undefined;
  }
  meta.invalid(key, "expected an address", value);
  return undefined;
}

function toId(value: unknown, meta: MetaRecorder, key: string): string | number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const id = toLenientString(value);
  if (id === null) meta.invalid(key, "expected text or a number", value);
  return id === null || id === "" ? undefined : trimText(id, LIMITS.tagValue, meta, key);
}

function toLines(value: unknown, meta: MetaRecorder, key: string): string[] | undefined {
  if (typeof value === "string") return value === "" ? undefined : toLines(value.split("\n"), meta, key);
  if (!Array.isArray(value)) {
    meta.invalid(key, "expected a list of lines", isRecord(value) ? undefined : value);
    return undefined;
  }
  for (let index = 0; index < value.length; index++) {
    const line = value[index];
    if (typeof line === "string" && line.length <= LIMITS.frameText) continue;
    // A hole keeps its place: the lines around it are numbered by position.
    const lenient = line === null || line === undefined ? "" : (toLenientString(line) ?? "");
    meta.enter(key);
    value[index] = trimText(lenient, LIMITS.frameText, meta, index);
    meta.leave();
  }
  return value;
}
