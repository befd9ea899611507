import { isRecord } from "../../domain/is-record.ts";

type Json = Record<string, unknown>;

/**
 * How deeply lists and objects may nest in a value; our own limit. JSON is cut off after 200 nested containers, and each level of values
 * has four.
 */
export const MAX_VALUE_DEPTH = 32;

/** Null stands for none. */
export function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The part of a list of attributes that would be lost, in the words of the ledger. Null when all of it can be stored. */
export function findWrongAttributes(attributes: unknown): string | null {
  if (!isSaid(attributes)) return null;
  if (!Array.isArray(attributes)) return "attributes_not_a_list";
  return findWrongEntry(attributes, 1);
}

function findWrongEntry(entries: readonly unknown[], depth: number): string | null {
  for (const each of entries) {
    if (!isRecord(each)) return "attribute_not_an_object";
    if (isSaid(each.key) && typeof each.key !== "string") return "attribute_key_not_a_text";
    const wrong = findWrongValue(each.value, depth);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** The same for one `AnyValue`. An empty one is legal, and so are fields that OTLP does not have yet. */
export function findWrongValue(value: unknown, depth = 1): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (!isRecord(value)) return "value_not_an_object";
  if (depth > MAX_VALUE_DEPTH) return "value_too_deep";
  let kinds = 0;
  for (const kind in value) {
    const said = value[kind];
    if (!isSaid(said)) continue;
    const wrong = findWrongKind(kind, said, depth);
    if (wrong === UNKNOWN) continue;
    if (wrong !== null) return wrong;
    kinds++;
  }
  return kinds > 1 ? "several_values" : null;
}

const UNKNOWN = "";

function findWrongKind(kind: string, said: unknown, depth: number): string | null {
  switch (kind) {
    case "stringValue":
      return typeof said === "string" ? null : "string_value_not_a_text";
    case "boolValue":
      return typeof said === "boolean" ? null : "bool_value_not_a_boolean";
    case "intValue":
      return isNumber(said) ? null : "int_value_not_a_number";
    case "doubleValue":
      return isNumber(said) || said === "NaN" ? null : "double_value_not_a_number";
    case "bytesValue":
      return typeof said === "string" ? null : "bytes_value_not_a_text";
    case "arrayValue":
      return findWrongList("array", said, (values) => firstOf(values, (each) => findWrongValue(each, depth + 1)));
    case "kvlistValue":
      return findWrongList("kvlist", said, (values) => findWrongEntry(values, depth + 1));
    default:
      return UNKNOWN;
  }
}

function findWrongList(word: string, said: unknown, find: (values: unknown[]) => string | null): string | null {
  if (!isRecord(said)) return `${word}_value_not_an_object`;
  const { values }: Json = said;
  if (!isSaid(values)) return null;
  return Array.isArray(values) ? find(values) : `${word}_values_not_a_list`;
}

function firstOf(values: readonly unknown[], find: (value: unknown) => string | null): string | null {
  for (const each of values) {
    const found = find(each);
    if (found !== null) return found;
  }
  return null;
}

function isNumber(value: unknown): boolean {
  if (typeof value !== "string") return typeof value === "number";
  return value.trim() !== "" && !Number.isNaN(Number(value));
}
