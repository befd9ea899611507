import { parseReleaseVersion } from "../release-version.ts";
import type { Condition, FieldTest, FieldValue, ValueTest } from "./condition.ts";
import { foldText } from "./fold-text.ts";
import { ANY_TEXT } from "./search-tree.ts";
import { readTextNumber } from "./text-number.ts";
import { isVersionInOrder } from "./version-order.ts";

/** The values of a row. The functions are called only for keys that the condition names. */
export interface SearchedRow {
  field(name: string): FieldValue;
  /** Null: the row has no such tag. */
  tag(key: string): string | null;
  /** For rows whose tags may be lists: the values of a list, as texts. Empty: the tag is not a list. */
  listValues?(key: string): readonly string[];
  tagValues(): Iterable<string>;
}

/** Whether the row is one that the search means. */
export function matchesCondition(condition: Condition, row: SearchedRow): boolean {
  switch (condition.kind) {
    case "all":
      return condition.parts.every((part) => matchesCondition(part, row));
    case "any":
      return condition.parts.some((part) => matchesCondition(part, row));
    case "test":
      return passes(condition, row) !== condition.isNegated;
  }
}

function passes({ field, isTag, test }: FieldTest, row: SearchedRow): boolean {
  if (isTag && field === "*") return [...row.tagValues()].some((value) => passesValue(test, value));
  const value = isTag ? row.tag(field) : row.field(field);
  if (value === null) return false;
  if (passesValue(test, value)) return true;
  return isTag && (row.listValues?.(field).some((each) => passesValue(test, each)) ?? false);
}

function passesValue(test: ValueTest, value: string | number): boolean {
  switch (test.kind) {
    case "exists":
      return true;
    case "in":
      return test.values.includes(String(value));
    case "like":
      return isLike(foldText(String(value)), test.parts);
    case "version":
      return isVersionInOrder(parseReleaseVersion(String(value)), test.sign, parseReleaseVersion(test.version));
    case "compare":
      return compare(typeof value === "number" ? value : readTextNumber(value), test.sign, test.value);
  }
}

function compare(one: number | null, sign: "=" | ">" | ">=" | "<" | "<=", other: number): boolean {
  if (one === null) return false;
  switch (sign) {
    case "=":
      return one === other;
    case ">":
      return one > other;
    case ">=":
      return one >= other;
    case "<":
      return one < other;
    case "<=":
      return one <= other;
  }
}

/** Takes time in proportion to the length of both: each part is searched once, at the first place where it can be. */
function isLike(text: string, parts: ReadonlyArray<string | typeof ANY_TEXT>): boolean {
  let at = 0;
  let isFree = false;
  for (const [index, part] of parts.entries()) {
    if (part === ANY_TEXT) {
      isFree = true;
      continue;
    }
    const sought = foldText(part);
    if (index === parts.length - 1) {
      if (isFree) return text.length - at >= sought.length && text.endsWith(sought);
      return text.slice(at) === sought;
    }
    const found = isFree ? text.indexOf(sought, at) : text.startsWith(sought, at) ? at : -1;
    if (found < 0) return false;
    at = found + sought.length;
    isFree = false;
  }
  return isFree || at === text.length;
}
