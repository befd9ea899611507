import { expect, test } from "vitest";
import type { Right } from "../../domain/scope.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import { parseIssueFilters } from "./issue-filters.ts";
import { type Emptiness, sayEmptyList } from "./say-empty-list.server.ts";

const WAITING = { slug: "web", name: "Web shop" };

function say(emptiness: Emptiness["emptiness"], search = "", rights: readonly Right[] = ["project:write"]) {
  const filters = parseIssueFilters(new URLSearchParams(search));
  const waitingProject = emptiness === "no-event" ? WAITING : null;
  return sayEmptyList({ emptiness, waitingProject }, { filters, scope: { ...EVERYTHING, rights } });
}

test("a list that has issues says nothing", () => expect(say(null)).toBeNull());

test.each([
  ["no-project", "", "Nothing reports here yet", ["Make the first project"]],
  ["no-event", "", "Waiting for the first event of Web shop", ["Connect the application"]],
  ["refused", "q=is:odd", "Nothing was searched for", ["Clear all filters"]],
  ["no-match", "", "Nothing unresolved", ["What was resolved"]],
  ["no-match", "q=is:resolved+cart", "No issue matches", ["Clear all filters", "Look back 90 days", "In every status"]],
  ["no-match", "q=cart&range=90d", "No issue matches", ["Clear all filters"]],
] as const)("%s with %j: %s", (emptiness, search, title, labels) => {
  const said = say(emptiness, search);
  expect(said).toMatchObject({ title });
  expect(said?.actions.map(({ label }) => label)).toEqual(labels);
});

test("what was searched for stands in the words as code", () => {
  expect(say("no-match", "q=cart")?.text).toEqual([
    "Nothing matches ",
    { code: "cart" },
    " in the chosen projects and time.",
  ]);
});

test("nobody is offered what their role does not allow", () => {
  expect(say("no-project", "", ["event:read"])).toMatchObject({ title: "You see no project yet", actions: [] });
  expect(say("no-event", "", ["event:read"])?.sendSampleTo).toBeNull();
  expect(say("no-event", "", ["event:write"])?.sendSampleTo).toBe("/projects/web/set-up");
});
