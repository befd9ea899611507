import { isRecord } from "../../domain/is-record.ts";
import { setField } from "../../domain/set-field.ts";
import { toPlainAttribute } from "../../domain/spans/sent-attributes.ts";
import {
  type Attributes,
  COPIED_KEYS,
  fillColumns,
  MAX_TYPED_TEXT,
  TYPED_ATTRIBUTES,
  type TypedAttribute,
  type TypedValue,
  toEmptyColumns,
  toTyped,
} from "../../domain/spans/typed-attributes.ts";
import { type SentTogether, toEnvironment, toRelease } from "./sent-together.ts";

/** The place of an attribute's value. An attribute without a place goes to `others`. */
type Place<Column extends string> =
  | { to: "column"; column: Column; rule: ((value: unknown) => string | null) | undefined }
  | { to: "typed"; index: number; type: TypedAttribute["type"] }
  | { to: "number" }
  | { to: "others" };

export interface AttributePlaces<Column extends string> {
  keys: Readonly<Record<Column, string>>;
  places: ReadonlyMap<string, Place<Column>>;
  nothing: Readonly<Record<Column, null>>;
  toNumber: (value: unknown) => number | null;
}

/** The attributes of a span or log in a container, sorted into columns and others. */
export interface ReadAttributes<Column extends string> {
  columns: Record<Column, string | null>;
  /** Columns that have what the envelope says. */
  inherited: string[];
  number: number | null;
  /** Values in the order of `TYPED_ATTRIBUTES`. */
  typed: TypedValue[];
  /** Attributes without a column. The type of a value is left out if it is obvious from the value. */
  others: Attributes;
}

const COLUMN_RULES: Partial<Record<string, (value: unknown) => string | null>> = {
  release: toRelease,
  environment: toEnvironment,
};

/**
 * @param keys by the column that their text has
 * @param number an attribute that is a number, and how it is read
 * @param isTyped whether those of `TYPED_ATTRIBUTES` have columns
 */
export function placeAttributes<Column extends string>(
  keys: Readonly<Record<Column, string>>,
  number: { key: string; read: (value: unknown) => number | null },
  { isTyped }: { isTyped: boolean },
): AttributePlaces<Column> {
  const places = new Map<string, Place<Column>>();
  const nothing = {} as Record<Column, null>;
  if (isTyped) {
    for (const key of COPIED_KEYS) places.set(key, { to: "others" });
    for (const [index, { key, type }] of TYPED_ATTRIBUTES.entries()) places.set(key, { to: "typed", index, type });
  }
  for (const column in keys) {
    places.set(keys[column], { to: "column", column, rule: COLUMN_RULES[column] });
    nothing[column] = null;
  }
  places.set(number.key, { to: "number" });
  return { keys, places, nothing, toNumber: number.read };
}

/**
 * Sorts the attributes in a single pass: spans have some twenty attributes, and 20,000 spans may come in a second. A column whose attribute
 * is missing gets the value of the envelope.
 */
export function readAttributes<Column extends string>(
  sent: Attributes,
  { keys, places, nothing, toNumber }: AttributePlaces<Column>,
  together: SentTogether,
): ReadAttributes<Column> {
  const columns: Record<Column, string | null> = { ...nothing };
  const typed = toEmptyColumns();
  const others: Attributes = {};
  let number: number | null = null;
  let hasCopied = false;
  for (const key in sent) {
    const value = toPlainAttribute(sent[key]);
    const place = places.get(key);
    if (place === undefined) {
      setField(others, key, value);
    } else if (place.to === "column") {
      const { column, rule } = place;
      const text = toColumnText(value);
      const ruled = rule === undefined ? text : rule(text ?? toValue(value));
      columns[column] = ruled;
      // If the rule changed the value, the column gets the result, and the others keep the sent value.
      if (text === null || ruled !== text) setField(others, key, value);
    } else if (place.to === "typed") {
      const cell = toTyped(value, place.type);
      if (cell === null) setField(others, key, value);
      else typed[place.index] = cell;
    } else if (place.to === "number") {
      number = toNumber(value);
      if (number === null) setField(others, key, value);
    } else {
      setField(others, key, value);
      hasCopied = true;
    }
  }
  return {
    columns,
    inherited: inherit(columns, { sent, keys, together }),
    number,
    typed: hasCopied ? fillColumns(typed, others) : typed,
    others,
  };
}

/** Fills empty columns from the envelope, and returns their names. */
function inherit<Column extends string>(
  columns: Record<Column, string | null>,
  { sent, keys, together }: { sent: Attributes; keys: Readonly<Record<Column, string>>; together: SentTogether },
): string[] {
  const known: Partial<Record<string, unknown>> = together as object;
  const inherited: string[] = [];
  for (const column in keys) {
    if (columns[column] !== null) continue;
    const fallback = known[column];
    if (typeof fallback !== "string" || Object.hasOwn(sent, keys[column])) continue;
    columns[column] = fallback;
    inherited.push(column);
  }
  return inherited;
}

function toColumnText(value: unknown): string | null {
  return typeof value === "string" && value.length <= MAX_TYPED_TEXT ? value : null;
}

/** The value of an attribute that has more fields than its value. */
export function toValue(attribute: unknown): unknown {
  return isRecord(attribute) ? attribute.value : attribute;
}
