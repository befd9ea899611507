import type { EventFilter } from "../events/error-events.ts";
import { findTagColumn } from "../events/tag-columns.ts";
import { escapeTagKey, escapeTagValue } from "../events/tag-text.ts";
import { toConditionSql } from "../sql/condition-sql.ts";
import { bindNumbers, createEventDialect } from "./event-dialect.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Rows of `events` that match. Cheap conditions come first: DuckDB reads further columns only where those hold. */
export function toEventConditions(filter: EventFilter): SqlConditions {
  const conditions = new SqlConditions();
  conditions.addOneOf("project_id", filter.projectIds);
  if (filter.issueId !== undefined) conditions.addEqual("issue_id", filter.issueId);
  if (filter.issueIds) conditions.add(`issue_id IN ${bindNumbers(conditions, filter.issueIds)}`);
  conditions.addRange("occurred_at", filter.from, filter.to);
  if (filter.environments?.length) conditions.addOneOf("environment", filter.environments);
  for (const { key, value, isNegated } of filter.tags ?? []) {
    const column = toColumn(key);
    if (column !== undefined) {
      conditions.add(`${column} IS ${isNegated ? "" : "NOT "}DISTINCT FROM ${conditions.bind(value)}`);
    } else {
      const pair = conditions.bind(toPair(key, value));
      conditions.add(`${isNegated ? "NOT " : ""}contains(tags, ${pair})`);
    }
  }
  for (const { key, values } of filter.anyOfTags ?? []) {
    const column = toColumn(key);
    if (values.length === 0) conditions.add("false");
    else if (column !== undefined) conditions.addOneOf(column, values);
    else {
      const pairs = values.map((value) => `contains(tags, ${conditions.bind(toPair(key, value))})`);
      conditions.add(`(${pairs.join(" OR ")})`);
    }
  }
  if (filter.traceId !== undefined) conditions.addEqual("trace_id", filter.traceId);
  if (filter.text) conditions.add(`contains(lower(title), lower(${conditions.bind(filter.text)}))`);
  if (filter.where) conditions.add(toConditionSql(filter.where, createEventDialect(conditions)));
  return conditions;
}

function toColumn(key: string): string | undefined {
  return key === "user" ? "user_key" : findTagColumn(key);
}

/** The tag as it stands in the text of all tags. */
function toPair(key: string, value: string): string {
  return `\n${escapeTagKey(key)}=${escapeTagValue(value)}\n`;
}
