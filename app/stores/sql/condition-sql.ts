import type { Condition, FieldTest, ValueTest } from "../../domain/search/condition.ts";
import { foldText } from "../../domain/search/fold-text.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";

/** In turn, as `ValueTest` has them. */
export type TextParts = ReadonlyArray<string | typeof ANY_TEXT>;

/** What engines say differently. */
export interface ConditionDialect {
  /** Gives the placeholder of a value. */
  bind(value: string | number): string;
  /** A list of values as what can stand after `IN`. */
  bindList(values: readonly string[]): string;
  /** Text in one case, as `foldText` has it. */
  fold(sql: string): string;
  /** Whether a text has the parts in turn, and nothing else where none stands for any text. Both are folded. */
  like(sql: string, parts: TextParts): string;
  /** The value of a field, NULL where a row has none. @throws {RangeError} for a field that its rows do not have. */
  field(name: string): string;
  /** A test of a field that the engine has a shorter way for; null: it has none. */
  fieldTest(name: string, test: ValueTest): string | null;
  /** The whole test of a tag; true, false or NULL. */
  tag(key: string, test: ValueTest): string;
}

/**
 * The condition as SQL, in parentheses wherever it has parts: DuckDB reads `a > x AND b ->> 'k' = 'v'` as `(a > x AND b) ->> …`.
 * It finds the rows that `matchesCondition` finds. Every value is bound.
 */
export function toConditionSql(condition: Condition, dialect: ConditionDialect): string {
  switch (condition.kind) {
    case "test":
      return toTestSql(condition, dialect);
    case "all":
      return condition.parts.length === 0
        ? "true"
        : `(${condition.parts.map((part) => toConditionSql(part, dialect)).join(" AND ")})`;
    case "any":
      return condition.parts.length === 0
        ? "false"
        : `(${condition.parts.map((part) => toConditionSql(part, dialect)).join(" OR ")})`;
  }
}

function toTestSql({ field, isTag, test, isNegated }: FieldTest, dialect: ConditionDialect): string {
  const sql = isTag
    ? dialect.tag(field, test)
    : (dialect.fieldTest(field, test) ?? toValueTestSql(dialect.field(field), test, dialect));
  // What has no value passes no test, and so passes the opposite.
  return isNegated ? `(NOT coalesce((${sql}), false))` : `(${sql})`;
}

/** A test of a value that an expression gives. NULL or false where there is none. */
export function toValueTestSql(value: string, test: ValueTest, dialect: ConditionDialect): string {
  switch (test.kind) {
    case "exists":
      return `${value} IS NOT NULL`;
    case "in":
      if (test.values.length === 0) return "false";
      return test.values.length === 1
        ? `${value} = ${dialect.bind(test.values[0] as string)}`
        : `${value} IN ${dialect.bindList(test.values)}`;
    case "like":
      return dialect.like(
        dialect.fold(value),
        test.parts.map((part) => (part === ANY_TEXT ? part : foldText(part))),
      );
    case "compare":
      return `${value} ${test.sign} ${dialect.bind(test.value)}`;
    case "version":
      throw new RangeError("versions are looked up before a condition becomes SQL");
  }
}

/** For `LIKE … ESCAPE '\\'`. */
export function toLikePattern(parts: TextParts): string {
  return parts.map((part) => (part === ANY_TEXT ? "%" : part.replace(/[\\%_]/g, "\\$&"))).join("");
}
