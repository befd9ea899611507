import type { EventFilter } from "../events/error-events.ts";
import { findTagColumn } from "../events/tag-columns.ts";
import { escapeTagKey, escapeTagValue } from "../events/tag-text.ts";
import { toConditionSql } from "../sql/condition-sql.ts";
import { createEventDialect } from "./event-dialect.ts";
import type { OrdinalRange } from "./event-tags.ts";
import { SqlConditions } from "./sql-conditions.ts";

/**
 * Rows of `events` that match. Cheap conditions come first: DuckDB reads further columns only where those hold. `summed`: only rows of this
 * range, whose tags are summed.
 */
export function toEventConditions(filter: EventFilter, summed?: OrdinalRange): SqlConditions {
  const conditions = new SqlConditions();
  conditions.addProjects(filter.projectIds);
  if (summed) conditions.addRange("ordinal", summed.from, summed.to);
  if (filter.issueId !== undefined) conditions.addEqual("issue_id", filter.issueId);
  if (filter.issueIds) conditions.add(`issue_id IN ${conditions.bindNumbers(filter.issueIds)}`);
  conditions.addRange("occurred_at", filter.from, filter.to);
  if (filter.environments?.length) conditions.addOneOf("environment", filter.environments);
  for (const { key, value, isNegated } of filter.tags ?? []) {
    const column = findTagColumn(key);
    if (key === "user") {
      conditions.add(`${isNegated ? "NOT " : ""}${toUserCondition(conditions, [value])}`);
    } else if (column !== undefined) {
      conditions.add(`${column} IS ${isNegated ? "" : "NOT "}DISTINCT FROM ${conditions.bind(value)}`);
    } else {
      const pair = conditions.bind(toPair(key, value));
      conditions.add(`${isNegated ? "NOT " : ""}contains(tags, ${pair})`);
    }
  }
  for (const { key, values } of filter.anyOfTags ?? []) {
    const column = findTagColumn(key);
    if (values.length === 0) conditions.add("false");
    else if (key === "user") conditions.add(toUserCondition(conditions, values));
    else if (column !== undefined) conditions.addOneOf(column, values);
    else {
      const pairs = values.map((value) => `contains(tags, ${conditions.bind(toPair(key, value))})`);
      conditions.add(`(${pairs.join(" OR ")})`);
    }
  }
  if (filter.traceId !== undefined) conditions.addEqual("trace_id", filter.traceId);
  if (filter.where) conditions.add(toConditionSql(filter.where, createEventDialect(conditions, summed)));
  for (const word of filter.words ?? []) conditions.add(toWordCondition(conditions, word));
  return conditions;
}

/** True or false, never null: it may be negated. */
function toUserCondition(conditions: SqlConditions, values: readonly string[]): string {
  const keys = values.map((value) => conditions.bind(value)).join(", ");
  const names = values.flatMap((value) => /^(?:email|username):(.+)$/s.exec(value)?.[1] ?? []);
  const byName =
    names.length === 0 ? "" : ` OR user_name IN (${names.map((name) => conditions.bind(name)).join(", ")})`;
  return `coalesce(user_key IN (${keys})${byName}, false)`;
}

const ID_PREFIX = /^[0-9a-f]{8,32}$/i;

function toWordCondition(conditions: SqlConditions, word: string): string {
  const text = conditions.bind(word.toLowerCase());
  const inValue = conditions.bind(`(?is)=[^\\n]*${escapePattern(escapeTagValue(word))}`);
  const places = [
    `contains(lower(title), ${text})`,
    `contains(lower(transaction_name), ${text})`,
    // The key without its prefix for the kind of key.
    `contains(lower(substr(user_key, instr(user_key, ':') + 1)), ${text})`,
    `contains(lower(user_name), ${text})`,
    `regexp_matches(tags, ${inValue})`,
  ];
  if (ID_PREFIX.test(word)) {
    const first = conditions.bind(word.padEnd(32, "0"));
    const last = conditions.bind(word.padEnd(32, "f"));
    places.push(`event_id BETWEEN ${first}::UUID AND ${last}::UUID`);
  }
  return `(${places.join(" OR ")})`;
}

/** Escapes a text for a regular expression of RE2. */
function escapePattern(text: string): string {
  return text.replace(/[!-/:-@[-^`{-~]/g, "\\$&");
}

/** The tag as it stands in the text of all tags. */
function toPair(key: string, value: string): string {
  return `\n${escapeTagKey(key)}=${escapeTagValue(value)}\n`;
}
