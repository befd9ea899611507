import { expect, test } from "vitest";
import { CONDITION_EXAMPLES } from "./condition-examples.ts";
import { findConditionProblem } from "./rule-conditions.ts";

const NOON = Date.UTC(2026, 4, 20, 12);

test.each<[search: string, problem: string | null]>([
  ["is:snoozed", "“is:snoozed” cannot be used here: a rule stands for no person."],
  ["!is:snoozed level:error", "“is:snoozed” cannot be used here: a rule stands for no person."],
  ["bookmarks:me", "“bookmarks:” cannot be used here: a rule stands for no person."],
  ["assigned:me", "“assigned:” cannot be used here. Use is:assigned or is:unassigned."],
  ["is:unresolved level:error", null],
  ...CONDITION_EXAMPLES.map(([search]): [string, null] => [search, null]),
])("a rule with the condition %j: %s", (search, problem) => {
  expect(findConditionProblem(search, NOON)).toBe(problem);
});
