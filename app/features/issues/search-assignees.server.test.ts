import { expect, test } from "vitest";
import type { FieldTest } from "../../domain/search/condition.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { type NamedAssignee, toAssigneeTest } from "./search-assignees.server.ts";

const PEOPLE: readonly NamedAssignee[] = [
  { kind: "user", id: 1, names: ["Ada", "ada@example.com"], isOwn: true },
  { kind: "user", id: 2, names: ["Grace", "grace@example.com"], isOwn: false },
  { kind: "team", id: 3, names: ["#shop"], isOwn: true },
];
const asked = (values: string[] | null, isNegated = false): FieldTest => ({
  ...{ kind: "test", field: "assignedOrSuggested", isTag: false, isNegated },
  test: values ? { kind: "in", values } : { kind: "exists" },
});
/** Whether the test matches an issue with this assignee and this suggested assignee. */
const isFound = (each: FieldTest, assignee: string | null, suggested: string | null) =>
  matchesCondition(toAssigneeTest(each, PEOPLE), {
    field: (name) => (name === "assignee" ? assignee : name === "suggested" ? suggested : null),
    tag: () => null,
    tagValues: () => [],
  });

test.each([
  ["me", asked(["me"]), "user:1", null, true],
  ["me, who is suggested while nobody is assigned", asked(["me"]), null, "user:1", true],
  ["me, and somebody else has it", asked(["me"]), "user:2", "user:1", false],
  ["my teams", asked(["my_teams"]), null, "team:3", true],
  ["a name", asked(["grace"]), null, "user:2", true],
  ["somebody else", asked(["grace"]), null, "user:1", false],
  ["none", asked(["none"]), null, null, true],
  ["none, and somebody is suggested", asked(["none"]), null, "user:1", false],
  ["several", asked(["me", "none"]), null, null, true],
  ["not me", asked(["me"], true), null, "user:1", false],
  ["anybody", asked(null), null, "user:2", true],
  ["anybody, and there is nobody", asked(null), null, null, false],
])("assigned or suggested: %s", (_, each, assignee, suggested, isWanted) => {
  expect(isFound(each, assignee, suggested)).toBe(isWanted);
});
