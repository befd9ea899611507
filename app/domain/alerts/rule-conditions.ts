import { bindSearch } from "../search/bind-search.ts";
import { ALWAYS, allOf, anyOf, type Condition, type FieldTest, listTests, negate } from "../search/condition.ts";
import { ISSUE_VOCABULARY, isOfIssue } from "../search/issue-vocabulary.ts";
import { matchesCondition, type SearchedRow } from "../search/matches-condition.ts";
import { parseSearch } from "../search/parse-search.ts";
import { printSearch } from "../search/print-search.ts";
import type { AlertRule } from "./alert-rule.ts";

/** Says in a sentence what is wrong with a condition. Null: nothing is. */
export function findConditionProblem(search: string, now: number): string | null {
  const { tree, errors } = parseSearch(search);
  const bound = bindSearch(tree, ISSUE_VOCABULARY, now);
  const [error] = [...errors, ...bound.errors];
  if (error) return error.message;
  return (
    listTests(bound.condition)
      .map(refuseTest)
      .find((refusal) => refusal !== null) ?? null
  );
}

/** Refuses tests whose meaning would depend on the reader or on the moment, and not only on the issue and its event. */
function refuseTest({ field, test }: FieldTest): string | null {
  if (field === "project") return "“project:” cannot be used here: choose the projects of the rule.";
  if (field === "assigned") return "“assigned:” cannot be used here. Use is:assigned or is:unassigned.";
  if (field === "assignedOrSuggested")
    return "“assigned_or_suggested:” cannot be used here. Use is:assigned or is:unassigned.";
  if (field === "bookmarks") return "“bookmarks:” cannot be used here: a rule stands for no person.";
  if (field === "snoozed") return "“is:snoozed” cannot be used here: a rule stands for no person.";
  if ((field === "release" || field === "firstRelease") && test.kind === "in" && test.values.includes("latest"))
    return "“latest” cannot be used here. Name a version, like release:>2.3.";
  return null;
}

/** The conditions of a rule as one. `now`: milliseconds since 1970, for relative times. */
export function bindRuleConditions(
  { match, conditions }: Pick<AlertRule, "match" | "conditions">,
  now: number,
): Condition {
  const bound = conditions.map((search) => bindSearch(parseSearch(search).tree, ISSUE_VOCABULARY, now).condition);
  if (bound.length === 0) return ALWAYS;
  if (match === "all") return allOf(bound);
  return match === "any" ? anyOf(bound) : negate(anyOf(bound));
}

/**
 * Why an issue and its event do not fit a rule, in words: the condition that says so. Null: they fit.
 * `now` as above.
 */
export function findMisfit(
  { match, conditions }: Pick<AlertRule, "match" | "conditions">,
  issue: SearchedRow,
  event: SearchedRow | null,
  now: number,
): string | null {
  const fits = (search: string) =>
    fitsConditions(bindRuleConditions({ match: "all", conditions: [search] }, now), issue, event);
  if (conditions.length === 0) return null;
  if (match === "all") return conditions.find((search) => !fits(search)) ?? null;
  const fitting = conditions.find(fits);
  if (match === "none") return fitting === undefined ? null : `none of: ${fitting}`;
  return fitting === undefined ? `any of: ${conditions.join(" | ")}` : null;
}

/** The search as it was understood. */
export function printCondition(search: string): string {
  return printSearch(parseSearch(search).tree);
}

/** Whether the issue and its event fit together. `event` null: it is not stored any more, and has nothing. */
export function fitsConditions(condition: Condition, issue: SearchedRow, event: SearchedRow | null): boolean {
  const row: SearchedRow = {
    field: (name) => (isOfIssue({ field: name, isTag: false }) ? issue.field(name) : (event?.field(name) ?? null)),
    tag: (key) => event?.tag(key) ?? null,
    tagValues: () => event?.tagValues() ?? [],
  };
  return matchesCondition(condition, row);
}
