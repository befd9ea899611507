import { isRecord } from "../../domain/is-record.ts";
import { setField } from "../../domain/set-field.ts";
import { isSaid } from "./refuse-value.ts";

type Json = Record<string, unknown>;

/** The attributes of OTLP, which are a list of keys and values, as an object. Lists stay lists, and objects become JSON texts. */
export function toAttributes(list: unknown): Json {
  return withJsonTexts(toPlainAttributes(list));
}

/** Makes JSON of those that are objects, in place. */
export function withJsonTexts(attributes: Json): Json {
  for (const key in attributes) if (isRecord(attributes[key])) attributes[key] = JSON.stringify(attributes[key]);
  return attributes;
}

/**
 * The same, but objects stay objects. Objects inside other values always stay objects: as JSON within JSON, each level would double the
 * escapes, and 30 levels make a gigabyte of one quote. A missing key is empty, as in protobuf, and a missing value is null.
 */
export function toPlainAttributes(list: unknown): Json {
  const object: Json = {};
  if (!Array.isArray(list)) return object;
  for (const each of list)
    if (isRecord(each)) setField(object, typeof each.key === "string" ? each.key : "", toPlainValue(each.value));
  return object;
}

/**
 * The value of an `AnyValue`. Null for an empty one, which OTLP allows. A kind that OTLP does not have yet stays the object as it came.
 * Integers that a number cannot hold exactly stay text. People who write JSON by hand often send a bare value in place of an `AnyValue`: it
 * is accepted.
 */
export function toPlainValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (!isRecord(value)) return null;
  if (typeof value.stringValue === "string") return cleanText(value.stringValue);
  if (typeof value.boolValue === "boolean") return value.boolValue;
  if (isSaid(value.intValue)) return toNumber(value.intValue);
  if (isSaid(value.doubleValue)) return toDouble(value.doubleValue);
  if (typeof value.bytesValue === "string") return cleanText(value.bytesValue);
  if (isRecord(value.arrayValue)) {
    const { values } = value.arrayValue;
    return Array.isArray(values) ? values.map(toPlainValue) : [];
  }
  if (isRecord(value.kvlistValue)) return toPlainAttributes(value.kvlistValue.values);
  return Object.values(value).some(isSaid) ? value : null;
}

/** Protobuf text may contain characters that no store returns unchanged. */
export function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

function toNumber(value: unknown): number | string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** JSON has no numbers that are not finite: they stay text. */
function toDouble(value: unknown): number | string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : String(value);
}
