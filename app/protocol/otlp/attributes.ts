import { isRecord } from "../../domain/is-record.ts";
import { setField } from "../../domain/set-field.ts";

type Json = Record<string, unknown>;

/** Those of OTLP: a list of keys and values. Lists become lists, and objects become JSON. */
export function toAttributes(list: unknown): Json {
  const attributes = toPlainObject(list);
  for (const key in attributes) if (isRecord(attributes[key])) attributes[key] = JSON.stringify(attributes[key]);
  return attributes;
}

/** Objects inside it stay objects: as JSON within JSON, each level would double the escapes, and 30 of them make a gigabyte of one quote. */
function toPlainObject(list: unknown): Json {
  const object: Json = {};
  if (!Array.isArray(list)) return object;
  for (const each of list) {
    if (!isRecord(each) || typeof each.key !== "string") continue;
    const value = toPlainValue(each.value);
    if (value !== null) setField(object, each.key, value);
  }
  return object;
}

/**
 * What an `AnyValue` says, or null. Whole numbers that are not exact stay text. People who write JSON themselves often put the value in the place of
 * its `AnyValue`: it is taken.
 */
export function toPlainValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (!isRecord(value)) return null;
  if (typeof value.stringValue === "string") return cleanText(value.stringValue);
  if (typeof value.boolValue === "boolean") return value.boolValue;
  if (value.intValue !== undefined) return toNumber(value.intValue);
  if (value.doubleValue !== undefined) return toDouble(value.doubleValue);
  if (typeof value.bytesValue === "string") return cleanText(value.bytesValue);
  if (isRecord(value.arrayValue)) {
    const { values } = value.arrayValue;
    return Array.isArray(values) ? values.map(toPlainValue) : [];
  }
  if (isRecord(value.kvlistValue)) return toPlainObject(value.kvlistValue.values);
  return null;
}

/** Text of protobuf may hold what no store gives back as it was. */
export function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

function toNumber(value: unknown): number | string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value).slice(0, 40);
}

/** JSON has no numbers that are not finite: they stay text. */
function toDouble(value: unknown): number | string | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "string" ? value.slice(0, 40) : null;
}
