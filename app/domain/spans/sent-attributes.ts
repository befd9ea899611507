import { isRecord } from "../is-record.ts";
import { setField } from "../set-field.ts";
import type { Attributes } from "./typed-attributes.ts";

/**
 * An attribute of a span or log container without its type where this goes without saying: `{"type": "string", "value": "a"}` is `"a"`.
 * Where it says more than that (a unit, a type that differs), it stays as it came.
 */
export function toPlainAttribute(attribute: unknown): unknown {
  // The value breaks the protocol. Lists are not attributes. Other objects are read as attributes.
  if (!isRecord(attribute)) return attribute;
  const { type, value } = attribute;
  const goesWithoutSaying = type !== undefined && type === typeOf(value) && countFields(attribute) === 2;
  return goesWithoutSaying ? value : attribute;
}

/** The attributes as they were sent. A value that came without a type has one now. */
export function toSentAttributes(plain: Attributes): Attributes {
  const sent: Attributes = {};
  for (const key in plain) {
    const value = plain[key];
    const type = typeOf(value);
    setField(sent, key, isRecord(value) || type === undefined ? value : { type, value });
  }
  return sent;
}

/** A list of the keys, for each attribute of each span, would only be garbage. */
function countFields(value: object): number {
  let count = 0;
  for (const _ in value) count++;
  return count;
}

function typeOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return typeof value;
    case "number":
      return Number.isInteger(value) ? "integer" : "double";
    default:
      return Array.isArray(value) ? "array" : undefined;
  }
}
