import { LOG_SEVERITIES } from "../../domain/logs/log-severity.ts";
import type { LogFilter, LogKey } from "../events/logs.ts";
import { type ConditionDialect, toConditionSql } from "../sql/condition-sql.ts";
import { toAnyAttributeTestSql, toAttributeSql, toAttributeTestSql, toHotColumn } from "./attribute-sql.ts";
import { createRowDialect, type FieldColumns, toFieldSql, toServiceSql } from "./row-dialect.ts";
import { type HotColumns, NO_HOT_COLUMNS } from "./span-dialect.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** SQL for the word of a severity's number, as `toLogSeverity` returns it. */
export const SEVERITY_SQL = `[${LOG_SEVERITIES.map((word) => `'${word}'`).join(", ")}][least(greatest((severity - 1) // 4, 0), ${
  LOG_SEVERITIES.length - 1
}) + 1]`;
/** Values with the same first characters count as the same. */
const MAX_GROUP_CHARACTERS = 500;
const TRACE_ID = "replace(trace_id::VARCHAR, '-', '')";
const SPAN_ID = "format('{:016x}', span_id)";

/** Columns of `logs` by the names of fields in searches. `toSearchedLog` returns the same fields of a row. */
const FIELDS: FieldColumns = {
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

/**
 * Conditions for rows of `logs` that match, without their time. Columns come before texts, because DuckDB reads the latter only where the
 * former match.
 */
export function toLogConditions(
  { projectIds, environments, where }: Omit<LogFilter, "from" | "to">,
  hot: HotColumns = NO_HOT_COLUMNS,
): SqlConditions {
  const conditions = new SqlConditions().addProjects(projectIds);
  if (environments?.length) conditions.addOneOf("environment", environments);
  if (where) conditions.add(toConditionSql(where, createLogDialect(conditions, hot)));
  return conditions;
}

function createLogDialect(conditions: SqlConditions, hot: HotColumns): ConditionDialect {
  const dialect: ConditionDialect = {
    ...createRowDialect(conditions, "logs", FIELDS),
    fieldTest(name, test) {
      if (test.kind !== "in" || test.values.length === 0) return null;
      if (name === "projectId") return `project_id IN ${conditions.bindNumbers(test.values.map(Number))}`;
      if (name === "ordinal") return `ordinal IN ${conditions.bindNumbers(test.values.map(Number))}`;
      // As UUIDs: then no id of a row is converted to text.
      if (name === "traceId" && test.values.every((id) => /^[0-9a-f]{32}$/.test(id)))
        return `trace_id IN (${test.values.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`;
      return null;
    },
    tag(key, test) {
      if (key === "*") return toAnyAttributeTestSql(test, dialect);
      // A value must not be bound if the statement does not use it.
      if (test.kind === "in" && test.values.length === 0) return "false";
      const attribute = toAttribute(key, conditions, hot);
      return toAttributeTestSql({ attribute, source: isHot(key, hot) ? attribute : "attributes" }, test, dialect);
    },
  };
  return dialect;
}

/** SQL of a field or an attribute as text, to group lines by. */
export function toLogKeySql({ name, isTag, unnamed }: LogKey, conditions: SqlConditions, hot: HotColumns): string {
  if (isTag) return `TRY(left(${toAttribute(name, conditions, hot)}, ${MAX_GROUP_CHARACTERS}))`;
  const value = unnamed ? toServiceSql(unnamed, conditions) : toFieldSql("logs", FIELDS, name);
  return `left((${value})::VARCHAR, ${MAX_GROUP_CHARACTERS})`;
}

function toAttribute(key: string, conditions: SqlConditions, hot: HotColumns): string {
  return isHot(key, hot) ? toHotColumn(key) : toAttributeSql(key, (text) => conditions.bind(text));
}

function isHot(key: string, hot: HotColumns): boolean {
  return hot.has(toHotColumn(key));
}
