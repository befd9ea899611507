import type { EventFilter } from "../events/error-events.ts";
import { findTagColumn } from "../events/tag-columns.ts";
import { escapeTagKey, escapeTagValue } from "../events/tag-text.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Rows of `events` that match. Cheap conditions come first: DuckDB reads further columns only where those hold. */
export function toEventConditions(filter: EventFilter): SqlConditions {
  const conditions = new SqlConditions();
  conditions.addOneOf("project_id", filter.projectIds);
  if (filter.issueId !== undefined) conditions.addEqual("issue_id", filter.issueId);
  conditions.addRange("occurred_at", filter.from, filter.to);
  if (filter.environments?.length) conditions.addOneOf("environment", filter.environments);
  for (const { key, value, isNegated } of filter.tags ?? []) {
    const column = key === "user" ? "user_key" : findTagColumn(key);
    if (column !== undefined) {
      conditions.add(`${column} IS ${isNegated ? "" : "NOT "}DISTINCT FROM ${conditions.bind(value)}`);
    } else {
      const pair = conditions.bind(`\n${escapeTagKey(key)}=${escapeTagValue(value)}\n`);
      conditions.add(`${isNegated ? "NOT " : ""}contains(tags, ${pair})`);
    }
  }
  if (filter.text) conditions.add(`contains(lower(title), lower(${conditions.bind(filter.text)}))`);
  return conditions;
}
