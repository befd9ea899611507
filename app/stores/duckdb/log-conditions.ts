import { LOG_SEVERITIES } from "../../domain/logs/log-severity.ts";
import type { ValueTest } from "../../domain/search/condition.ts";
import type { LogFilter, LogKey } from "../events/logs.ts";
import { type ConditionDialect, toConditionSql, toValueTestSql } from "../sql/condition-sql.ts";
import { toLikeSql } from "./like-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** The word of a severity's number, as `toLogSeverity` gives it. */
export const SEVERITY_SQL = `[${LOG_SEVERITIES.map((word) => `'${word}'`).join(", ")}][least(greatest((severity - 1) // 4, 0), ${
  LOG_SEVERITIES.length - 1
}) + 1]`;
/** Longer values are told apart by their begin. */
const MAX_GROUP_CHARACTERS = 500;
const TRACE_ID = "replace(trace_id::VARCHAR, '-', '')";
const SPAN_ID = "format('{:016x}', span_id)";

/** Columns of `logs` by what searches call them; `toSearchedLog` gives the same of a row. */
const FIELDS: Readonly<Record<string, string>> = {
  projectId: "project_id",
  ordinal: "ordinal",
  severity: SEVERITY_SQL,
  severityNumber: "severity",
  occurredAt: "occurred_us / 1000",
  body: "body",
  template: "template",
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  service: "service",
  logger: "logger",
  environment: "environment",
  release: "release",
  serverAddress: "server_address",
  userId: "user_id",
  replayId: "replay_id",
  origin: "origin",
  sdk: "sdk_name",
  sdkVersion: "sdk_version",
  text: `concat_ws(chr(10), body, ${TRACE_ID}, ${SPAN_ID}, service, logger, server_address, user_id, attributes)`,
};

/** Rows of `logs` that match, without their time. Columns come before texts: DuckDB reads the latter only where the former fit. */
export function toLogConditions({ projectIds, environments, where }: Omit<LogFilter, "from" | "to">): SqlConditions {
  const conditions = new SqlConditions().addProjects(projectIds);
  if (environments?.length) conditions.addOneOf("environment", environments);
  if (where) conditions.add(toConditionSql(where, createLogDialect(conditions)));
  return conditions;
}

function createLogDialect(conditions: SqlConditions): ConditionDialect {
  const dialect: ConditionDialect = {
    bind: (value) => conditions.bind(value),
    bindList: (values) => `(SELECT unnest(from_json(${conditions.bind(JSON.stringify(values))}, '["VARCHAR"]')))`,
    fold: (sql) => `lower(${sql})`,
    like: (sql, parts) => toLikeSql(sql, parts, dialect.bind),
    field(name) {
      const column = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
      if (column === undefined) throw new RangeError(`logs have no field ${name}`);
      return column;
    },
    fieldTest(name, test) {
      if (test.kind !== "in" || test.values.length === 0) return null;
      if (name === "projectId") return `project_id IN ${conditions.bindNumbers(test.values.map(Number))}`;
      if (name === "ordinal") return `ordinal IN ${conditions.bindNumbers(test.values.map(Number))}`;
      // Comparing UUIDs needs no text of each.
      if (name === "traceId" && test.values.every((id) => /^[0-9a-f]{32}$/.test(id)))
        return `trace_id IN (${test.values.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`;
      return null;
    },
    tag: (key, test) => (key === "*" ? toAnyTagSql(test, dialect) : toTagSql(key, test, dialect)),
  };
  return dialect;
}

/** A field or an attribute as text, as lines are grouped by it. */
export function toLogKeySql({ name, isTag }: LogKey, conditions: SqlConditions): string {
  const bind = (value: string) => conditions.bind(value);
  if (isTag) return `CASE WHEN ${hasTag(name, bind)} THEN TRY(left(${toTag(name, bind)}, ${MAX_GROUP_CHARACTERS})) END`;
  const column = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (column === undefined) throw new RangeError(`logs have no field ${name}`);
  return `left((${column})::VARCHAR, ${MAX_GROUP_CHARACTERS})`;
}

/** An attribute as text. One that says more than its value (a unit) is an object with a `value`. */
function toTagSql(key: string, test: ValueTest, dialect: ConditionDialect): string {
  return `${hasTag(key, dialect.bind)} AND ${toValueTestSql(toTag(key, dialect.bind), test, dialect)}`;
}

/** A key that is not in the text needs no parsing of it. */
function hasTag(key: string, bind: (text: string) => string): string {
  return `contains(attributes, ${bind(JSON.stringify(key))})`;
}

function toTag(key: string, bind: (text: string) => string): string {
  const pointer = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return `coalesce(json_extract_string(attributes, ${bind(`${pointer}/value`)}), json_extract_string(attributes, ${bind(pointer)}))`;
}

/** A value of any attribute, as a whole. */
function toAnyTagSql(test: ValueTest, dialect: ConditionDialect): string {
  if (test.kind !== "in") throw new RangeError("an attribute without its key is looked for by whole values");
  const values = `map_values(from_json(attributes, '"MAP(VARCHAR, JSON)"'))`;
  const tests = test.values.map(
    (value) =>
      `list_contains(list_transform(${values}, each -> coalesce(each ->> '$.value', each ->> '$')), ${dialect.bind(value)})`,
  );
  return tests.length === 0 ? "false" : tests.join(" OR ");
}
