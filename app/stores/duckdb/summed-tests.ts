import type { Condition, FieldTest } from "../../domain/search/condition.ts";
import { findTagColumn, isCopiedTag } from "../events/tag-columns.ts";
import { escapeTagKey, escapeTagValue } from "../events/tag-text.ts";
import { toValueTestSql } from "../sql/condition-sql.ts";
import { createEventDialect, toSummedValueSql } from "./event-dialect.ts";
import { isOfKey, PIECE_EVENTS } from "./event-tags.ts";
import { toUserHash } from "./event-users.ts";
import type { SqlConditions } from "./sql-conditions.ts";

// Which tests of a search the sums can answer without events, and the places that pass them.

/** Whether the sums can answer the whole condition. */
export function isSummed(condition: Condition): boolean {
  return condition.kind === "test"
    ? isOfIssues(condition) || isOfTags(condition) || isOfUsers(condition)
    : condition.parts.every(isSummed);
}

export function listTagTests(condition: Condition): FieldTest[] {
  if (condition.kind !== "test") return condition.parts.flatMap(listTagTests);
  return isOfIssues(condition) ? [] : [condition];
}

/** Whether all events of one row of `event_issues` have the same result for the test. */
export function isOfIssues({ field, isTag }: FieldTest): boolean {
  return field === "environment" || (!isTag && (field === "issueId" || field === "projectId"));
}

function isOfTags({ field, isTag, test }: FieldTest): boolean {
  if (!isTag || field === "user") return false;
  // The tag `user` is not summed. Its values begin with one of these prefixes.
  if (field === "*")
    return test.kind === "in" && !test.values.some((value) => /^(?:id|email|username|ip):/.test(value));
  return findTagColumn(field) === undefined || (isCopiedTag(field) && test.kind !== "exists");
}

export function isOfUsers({ field, isTag, test }: FieldTest): boolean {
  return (field === "user" || (!isTag && field === "userName")) && test.kind === "in" && !test.values.includes("");
}

/** SQL of the mask of each piece for a test of a tag. */
export function toTagMaskSql(test: FieldTest, isInScope: string, conditions: SqlConditions): string {
  return `
    WITH tagged AS MATERIALIZED (
      SELECT chunk, version, places, bits FROM event_tags WHERE ${toTaggedSql(test, conditions)} AND ${isInScope}
    )
    SELECT chunk::DOUBLE AS chunk, max(version)::DOUBLE AS version, bit_or(bits) AS bits FROM (
      SELECT chunk, version, bits FROM tagged WHERE bits IS NOT NULL
      UNION ALL
      SELECT chunk, max(version) AS version, bitstring_agg(place, 0, ${PIECE_EVENTS - 1}) AS bits
      FROM (SELECT chunk, version, unnest(places)::INTEGER AS place FROM tagged WHERE bits IS NULL) GROUP BY chunk
    ) GROUP BY chunk`;
}

/** SQL of the masks of each piece for tests of users, in columns `bits0`, `bits1` and so on. One pass compares all hashes. */
export function toUserMaskSql(tests: readonly FieldTest[], isInScope: string, conditions: SqlConditions): string {
  const hashes = tests.map(({ field, test }) => {
    const users = test.kind === "in" ? test.values : [];
    return users.map((user) => toUserHash(field === "userName" ? field : "user", conditions.bind(user)));
  });
  const bits = hashes.map((own, index) => {
    const all = `bitstring_agg(place::INTEGER, 0, ${PIECE_EVENTS - 1})`;
    return `${all} FILTER (user_hash IN (${own.join(", ") || "NULL"})) AS bits${index}`;
  });
  return `
    SELECT chunk::DOUBLE AS chunk, max(version)::DOUBLE AS version, ${bits.join(", ")}
    FROM event_users WHERE user_hash IN (${hashes.flat().join(", ") || "NULL"}) AND ${isInScope} GROUP BY chunk`;
}

/** SQL that is true for rows of `event_tags` that pass. */
function toTaggedSql({ field, test }: FieldTest, conditions: SqlConditions): string {
  const dialect = createEventDialect(conditions);
  if (field === "*") {
    const values = test.kind === "in" ? test.values.map(escapeTagValue) : [];
    return `kind IN ('value', 'copied') AND ${toValueTestSql("value", { kind: "in", values }, dialect)}`;
  }
  const kind = test.kind === "exists" ? "key" : isCopiedTag(field) ? "copied" : "value";
  return `kind = '${kind}' AND ${isOfKey(conditions.bind(escapeTagKey(field)))} AND ${toSummedValueSql(test, dialect)}`;
}
