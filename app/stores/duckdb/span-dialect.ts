import type { ValueTest } from "../../domain/search/condition.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import type { SpanKey } from "../events/span-search.ts";
import { type ConditionDialect, toValueTestSql } from "../sql/condition-sql.ts";
import { toLikeSql } from "./like-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Columns of `spans` by what searches call them. */
const FIELDS: Readonly<Record<string, string>> = {
  projectId: "project_id",
  op: "op",
  name: "name",
  nameGroup: "name_group",
  status: "status",
  kind: "kind",
  origin: "origin",
  segment: "segment",
  release: "release",
  environment: "environment",
  service: "service",
  sdk: "sdk_name",
  traceId: "replace(trace_id::VARCHAR, '-', '')",
  spanId: "format('{:016x}', span_id)",
  parentId: "format('{:016x}', parent_span_id)",
  durationMs: "(duration_us / 1000)",
  startedAt: "(started_us / 1000)",
  isSegment: "is_segment::INTEGER",
  text: "concat_ws(chr(10), name, op, segment, service, url)",
  ...Object.fromEntries(
    TYPED_ATTRIBUTES.map(({ column, type }) => [column, type === "boolean" ? `${column}::INTEGER` : column]),
  ),
};

/** Fields that the sums by minute have, by the same names of columns. */
const SUMMED: ReadonlySet<string> = new Set([
  "projectId",
  "op",
  "nameGroup",
  "status",
  "segment",
  "release",
  "environment",
  "isSegment",
]);

export function isSummed({ name, isTag }: SpanKey): boolean {
  return !isTag && SUMMED.has(name);
}

/** How searches look at rows of `spans`, and at sums of them. Values are bound to the conditions. */
export function createSpanDialect(conditions: SqlConditions): ConditionDialect {
  const dialect: ConditionDialect = {
    bind: (value) => conditions.bind(value),
    bindList: (values) => `(${values.map((value) => conditions.bind(value)).join(", ")})`,
    fold: (sql) => `lower(${sql})`,
    like: (sql, parts) => toLikeSql(sql, parts, dialect.bind),
    field: toColumn,
    fieldTest(name, test) {
      if (test.kind !== "in" || test.values.length === 0) return null;
      if (name === "projectId")
        return `project_id IN (${test.values.map((id) => conditions.bind(Number(id))).join(", ")})`;
      if (name === "traceId")
        return `trace_id IN (${test.values.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`;
      return null;
    },
    tag: (key, test) =>
      key === "*" ? toAnyAttributeSql(test, dialect) : toValueTestSql(toAttribute(key, conditions), test, dialect),
  };
  return dialect;
}

/** The value of a key as text, NULL where a span has none. */
export function toKeySql({ name, isTag }: SpanKey, conditions: SqlConditions): string {
  return isTag ? toAttribute(name, conditions) : `${toColumn(name)}::VARCHAR`;
}

function toColumn(name: string): string {
  const column = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (column === undefined) throw new RangeError(`spans have no field ${name}`);
  return column;
}

/**
 * By a JSON pointer, in which keys may have dots. A value is an object where it was sent with a type that does not go without saying.
 * TRY: JSON may have half a character, which DuckDB refuses.
 */
function toAttribute(key: string, conditions: SqlConditions): string {
  const pointer = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const [value, whole] = [conditions.bind(`${pointer}/value`), conditions.bind(pointer)];
  return `coalesce(TRY(json_extract_string(attributes, ${value})), TRY(json_extract_string(attributes, ${whole})))`;
}

function toAnyAttributeSql(test: ValueTest, dialect: ConditionDialect): string {
  if (test.kind === "exists") return "attributes IS NOT NULL";
  if (test.kind !== "in") throw new RangeError("an attribute without its key is looked for by whole values");
  const values = `map_values(TRY(from_json(attributes, '"MAP(VARCHAR, VARCHAR)"')))`;
  return test.values.length === 0
    ? "false"
    : test.values.map((value) => `list_contains(${values}, ${dialect.bind(value)})`).join(" OR ");
}
