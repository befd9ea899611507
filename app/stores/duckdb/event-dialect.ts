import type { ValueTest } from "../../domain/search/condition.ts";
import { foldText } from "../../domain/search/fold-text.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import type { EventKey } from "../events/error-events.ts";
import { findTagColumn } from "../events/tag-columns.ts";
import { escapeTagKey, escapeTagValue } from "../events/tag-text.ts";
import { type ConditionDialect, type TextParts, toValueTestSql } from "../sql/condition-sql.ts";
import { type OrdinalRange, toTagMembership } from "./event-tags.ts";
import { createRowDialect, type FieldColumns, toFieldSql } from "./row-dialect.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Columns of `events` by the names of fields in searches. */
const FIELDS: FieldColumns = {
  projectId: "project_id",
  issueId: "issue_id",
  eventId: "replace(event_id::VARCHAR, '-', '')",
  occurredAt: "occurred_at",
  level: "level",
  platform: "platform",
  environment: "environment",
  release: "release",
  dist: "dist",
  transaction: "transaction_name",
  title: "title",
  user: "user_key",
  userName: "user_name",
  userDisplay: "coalesce(nullif(user_name, ''), substr(user_key, instr(user_key, ':') + 1))",
  traceId: "trace_id",
  replayId: "replay_id",
  sdk: "sdk_name",
  isUnhandled: "is_unhandled::INTEGER",
  text: `concat_ws(chr(10), title, transaction_name, substr(user_key, instr(user_key, ':') + 1), user_name, ${toUnescapedSql(
    "regexp_replace(tags, '\\n[^=\\n]*=', chr(10), 'g')",
  )})`,
};

/**
 * SQL for searches of rows of `events`. Values are bound to the conditions.
 * @param summed the ordinals of all rows that are searched; their tags are summed
 */
export function createEventDialect(conditions: SqlConditions, summed?: OrdinalRange): ConditionDialect {
  const dialect: ConditionDialect = {
    ...createRowDialect(conditions, "events", FIELDS),
    fieldTest(name, test) {
      if (name === "text" && test.kind === "like") return toWordSql(test.parts, dialect);
      if (test.kind !== "in" || test.values.length === 0) return null;
      if (name === "issueId") return `issue_id IN ${conditions.bindNumbers(test.values.map(Number))}`;
      if (name === "projectId") return `project_id IN ${conditions.bindNumbers(test.values.map(Number))}`;
      // As UUIDs: then no id of a row is converted to text.
      if (name === "eventId")
        return `event_id IN (${test.values.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`;
      return null;
    },
    tag(key, test) {
      if (key === "*") return toAnyTagSql(test, conditions);
      const column = key === "user" ? "user_key" : findTagColumn(key);
      if (column !== undefined) return toValueTestSql(column, test, dialect);
      return summed ? toSummedTagSql(key, test, dialect, summed) : toTagSql(key, test, dialect);
    },
  };
  return dialect;
}

/**
 * SQL that is true if one of the texts of an event contains the word; null if the test is another one. Unescaping tags costs most, so it is
 * done only where the tags contain the word.
 */
function toWordSql(parts: TextParts, dialect: ConditionDialect): string | null {
  const [first, text, last] = parts;
  // A text with a line feed could match the end of one text and the beginning of the next.
  if (parts.length !== 3 || first !== ANY_TEXT || last !== ANY_TEXT || typeof text !== "string" || text.includes("\n"))
    return null;
  const word = foldText(text);
  const others = ["title", "transaction_name", "substr(user_key, instr(user_key, ':') + 1)", "user_name"];
  const inOthers = others.map((column) => `contains(lower(${column}), ${dialect.bind(word)})`);
  const inTags = `contains(lower(tags), ${dialect.bind(escapeTagValue(word))})`;
  const inText = dialect.like(dialect.fold(toFieldSql("events", FIELDS, "text")), [ANY_TEXT, word, ANY_TEXT]);
  return [...inOthers, `(${inTags} AND ${inText})`].join(" OR ");
}

/** SQL for the value of a key as text; NULL for an event without one. */
export function toEventKeySql({ name, isTag }: EventKey, conditions: SqlConditions): string {
  if (!isTag) return `${toFieldSql("events", FIELDS, name)}::VARCHAR`;
  const column = name === "user" ? "user_key" : findTagColumn(name);
  if (column !== undefined) return column;
  const head = conditions.bind(`\n${escapeTagKey(name)}=`);
  return `CASE WHEN contains(tags, ${head}) THEN ${toUnescapedSql(`split_part(split_part(tags, ${head}, 2), chr(10), 1)`)} END`;
}

/** `tags` is "\nkey=value\nkey=value\n", so a whole tag is a substring. That is the cheapest test. */
function toTagSql(key: string, test: ValueTest, dialect: ConditionDialect): string {
  const head = `\n${escapeTagKey(key)}=`;
  if (test.kind === "exists") return `contains(tags, ${dialect.bind(head)})`;
  if (test.kind === "in") {
    const pairs = test.values.map((value) => `contains(tags, ${dialect.bind(`${head}${escapeTagValue(value)}\n`)})`);
    return pairs.length === 0 ? "false" : pairs.join(" OR ");
  }
  const text = `split_part(split_part(tags, ${dialect.bind(head)}, 2), chr(10), 1)`;
  return `contains(tags, ${dialect.bind(head)}) AND ${toValueTestSql(toUnescapedSql(text), test, dialect)}`;
}

function toSummedTagSql(key: string, test: ValueTest, dialect: ConditionDialect, summed: OrdinalRange): string {
  return toTagMembership(summed, dialect.bind(escapeTagKey(key)), toSummedValueSql(test, dialect));
}

/** Whether `value` of `event_tags` passes: true, false or NULL. */
export function toSummedValueSql(test: ValueTest, dialect: ConditionDialect): string {
  if (test.kind === "exists") return "true";
  if (test.kind === "in")
    return toValueTestSql("value", { kind: "in", values: test.values.map(escapeTagValue) }, dialect);
  // Unescaping takes longer than comparing, and hardly any value needs it.
  const text = `CASE WHEN contains(value, '\\') THEN ${toUnescapedSql("value")} ELSE value END`;
  return toValueTestSql(`(${text})`, test, dialect);
}

/** SQL that unescapes a text. A double backslash becomes chr(1) while `\n` becomes a line feed. */
function toUnescapedSql(text: string): string {
  return `replace(replace(replace(${text}, '\\\\', chr(1)), '\\n', chr(10)), chr(1), '\\')`;
}

/**
 * SQL that looks for a value in all tags. A value may contain an equals sign, so the expression makes sure that the match begins at the
 * first one of the tag.
 */
function toAnyTagSql(test: ValueTest, conditions: SqlConditions): string {
  if (test.kind === "exists") return "tags <> ''";
  if (test.kind !== "in") throw new RangeError("a tag without its key is looked for by whole values");
  const tests = test.values.map((value) => {
    const escaped = escapeTagValue(value);
    const end = conditions.bind(`=${escaped}\n`);
    return `(contains(tags, ${end}) AND regexp_matches(tags, '\\n[^=\\n]*=' || regexp_escape(${conditions.bind(escaped)}) || '\\n'))`;
  });
  return tests.length === 0 ? "false" : tests.join(" OR ");
}
