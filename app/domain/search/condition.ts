import type { ANY_TEXT } from "./search-tree.ts";

/**
 * The meaning of a search, ready to be evaluated. `matchesCondition` evaluates it in memory and `stores/sql/condition-sql.ts` as SQL,
 * with the same result. Only tests can be negated.
 */
export type Condition = AllOf | AnyOf | FieldTest;

/** All parts must hold. Without parts: true. */
export interface AllOf {
  kind: "all";
  parts: readonly Condition[];
}

/** One part must hold. Without parts: false. */
export interface AnyOf {
  kind: "any";
  parts: readonly Condition[];
}

export interface FieldTest {
  kind: "test";
  /** A field of the row, or with `isTag` the key of a tag. */
  field: string;
  isTag: boolean;
  test: ValueTest;
  /** True for what does not pass the test, which a row without a value does. */
  isNegated: boolean;
}

/** No test is passed by a row that has no value. */
export type ValueTest =
  /** Exactly one of these texts. */
  | { kind: "in"; values: readonly string[] }
  /** The whole text is this, in whatever case. */
  | { kind: "like"; parts: ReadonlyArray<string | typeof ANY_TEXT> }
  | { kind: "compare"; sign: "=" | ">" | ">=" | "<" | "<="; value: number }
  /** A release with a version of this order; see `release-condition.ts`. */
  | { kind: "version"; sign: ">" | ">=" | "<" | "<="; version: string }
  | { kind: "exists" };

/** The value of a field of a row. Null: it has none. An empty list of tags is null, too. Booleans are 1 and 0. */
export type FieldValue = string | number | null;

export const ALWAYS: AllOf = { kind: "all", parts: [] };
export const NEVER: AnyOf = { kind: "any", parts: [] };

/** All of them, without groups within each other that say nothing. */
export function allOf(parts: readonly Condition[]): Condition {
  const flat = parts.flatMap((part) => (part.kind === "all" ? part.parts : [part]));
  if (flat.some((part) => part.kind === "any" && part.parts.length === 0)) return NEVER;
  return flat.length === 1 ? (flat[0] as Condition) : { kind: "all", parts: flat };
}

/** Any of them. */
export function anyOf(parts: readonly Condition[]): Condition {
  const flat = parts.flatMap((part) => (part.kind === "any" ? part.parts : [part]));
  if (flat.some((part) => part.kind === "all" && part.parts.length === 0)) return ALWAYS;
  return flat.length === 1 ? (flat[0] as Condition) : { kind: "any", parts: flat };
}

/** Whether it says nothing. */
export function isAlways({ kind, ...rest }: Condition): boolean {
  return kind === "all" && "parts" in rest && rest.parts.length === 0;
}

export function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case "all":
      return anyOf(condition.parts.map(negate));
    case "any":
      return allOf(condition.parts.map(negate));
    case "test":
      return { ...condition, isNegated: !condition.isNegated };
  }
}

/** Replaces each test of a condition with the condition that `map` gives for it. */
export function mapTests(condition: Condition, map: (test: FieldTest) => Condition): Condition {
  if (condition.kind === "test") return map(condition);
  const parts = condition.parts.map((part) => mapTests(part, map));
  return condition.kind === "all" ? allOf(parts) : anyOf(parts);
}

export function listTests(condition: Condition): FieldTest[] {
  return condition.kind === "test" ? [condition] : condition.parts.flatMap(listTests);
}
