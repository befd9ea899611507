import type { ValueTest } from "../../domain/search/condition.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import type { SpanKey } from "../events/span-search.ts";
import type { ConditionDialect } from "../sql/condition-sql.ts";
import { toAnyAttributeTestSql, toAttributeSql, toAttributeTestSql, toHotColumn } from "./attribute-sql.ts";
import { createRowDialect, type FieldColumns, toFieldSql, toServiceSql } from "./row-dialect.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import { TRANSACTION_NAME } from "./transaction-sum-sql.ts";
import { toWholeNumberTest } from "./whole-number-test.ts";

/** Columns of `spans` by the names of fields in searches. */
const FIELDS: FieldColumns = {
  projectId: "project_id",
  op: "op",
  name: "name",
  nameGroup: "name_group",
  status: "status",
  kind: "kind",
  origin: "origin",
  segment: "segment",
  transactionName: TRANSACTION_NAME,
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

/** Columns in microseconds, by the field that has their milliseconds. */
const WHOLE_MS: Readonly<Record<string, string>> = { durationMs: "duration_us", startedAt: "started_us" };

/** Fields that the sums by minute have, in columns with the same names. */
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

/** Columns of attributes that the searched rows have, named by `toHotColumn`. */
export type HotColumns = ReadonlySet<string>;
export const NO_HOT_COLUMNS: HotColumns = new Set();

/** SQL for searches of rows of `spans`, and of their sums. Values are bound to the conditions. */
export function createSpanDialect(conditions: SqlConditions, hot: HotColumns): ConditionDialect {
  const dialect: ConditionDialect = {
    ...createRowDialect(conditions, "spans", FIELDS),
    fieldTest(name, test) {
      const whole = Object.hasOwn(WHOLE_MS, name) ? WHOLE_MS[name] : undefined;
      if (test.kind === "compare" && whole !== undefined)
        return toWholeNumberTest(whole, test, { divisor: 1000, bind: (value) => conditions.bind(value) });
      if (test.kind === "compare" && test.sign === "=" && name === "isSegment")
        return test.value === 1 ? "is_segment" : test.value === 0 ? "NOT is_segment" : "false";
      if (test.kind !== "in" || test.values.length === 0) return null;
      if (name === "projectId") return `project_id IN ${conditions.bindNumbers(test.values.map(Number))}`;
      // As UUIDs: then no id of a row is converted to text.
      if (name === "traceId" && test.values.every((id) => /^[0-9a-f]{32}$/.test(id)))
        return `trace_id IN (${test.values.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`;
      return null;
    },
    tag(key, test) {
      if (key === "*") return toAnyAttributeSql(test, dialect);
      // A value must not be bound if the statement does not use it.
      if (test.kind === "in" && test.values.length === 0) return "false";
      const attribute = toAttribute(key, conditions, hot);
      return toAttributeTestSql({ attribute, source: isHot(key, hot) ? attribute : "attributes" }, test, dialect);
    },
  };
  return dialect;
}

/** SQL for the value of a key as text; NULL for a span without one. */
export function toKeySql({ name, isTag, unnamed }: SpanKey, conditions: SqlConditions, hot: HotColumns): string {
  if (unnamed) return toServiceSql(unnamed, conditions);
  return isTag ? toAttribute(name, conditions, hot) : `${toFieldSql("spans", FIELDS, name)}::VARCHAR`;
}

function toAttribute(key: string, conditions: SqlConditions, hot: HotColumns): string {
  if (isHot(key, hot)) return toHotColumn(key);
  const json = toAttributeSql(key, (text) => conditions.bind(text));
  const typed = TYPED_ATTRIBUTES.find((each) => each.key === key);
  return typed === undefined ? json : `coalesce(${json}, ${typed.column}::VARCHAR)`;
}

function isHot(key: string, hot: HotColumns): boolean {
  return hot.has(toHotColumn(key));
}

/** SQL that looks for a value in all attributes, also in those with a column. */
function toAnyAttributeSql(test: ValueTest, dialect: ConditionDialect): string {
  const others = toAnyAttributeTestSql(test, dialect);
  const columns = `[${TYPED_ATTRIBUTES.map(({ column }) => `${column}::VARCHAR`).join(", ")}]`;
  const values = test.kind === "in" ? test.values : [];
  return [...values.map((text) => `list_contains(${columns}, ${dialect.bind(text)})`), others].join(" OR ");
}
