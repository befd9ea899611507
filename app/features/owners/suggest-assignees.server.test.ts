import { expect, test } from "vitest";
import type { SuggestedOwner } from "../../domain/ownership/suggested-owner.ts";
import { joinSuggestions } from "./suggest-assignees.server.ts";

const suggest = (id: number, path: string): SuggestedOwner => ({
  assignee: { kind: "user", id, name: `Person ${id}` },
  reasons: [{ kind: "commit", commitId: "4f2e9a1c0ffee", path, at: 0 }],
});

test("the person suggested for most of several issues comes first, with the reasons", () => {
  const found = [
    [suggest(1, "a.js"), suggest(2, "b.js")],
    [suggest(2, "c.js")],
    [suggest(2, "b.js"), suggest(3, "d.js")],
  ];
  expect(joinSuggestions(found, 3).map(({ assignee, why }) => [assignee.name, why])).toEqual([
    ["Person 2", "for all 3 issues: changed b.js in 4f2e9a1; changed c.js in 4f2e9a1"],
    ["Person 1", "for 1 of 3 issues: changed a.js in 4f2e9a1"],
    ["Person 3", "for 1 of 3 issues: changed d.js in 4f2e9a1"],
  ]);
  const [many] = joinSuggestions(
    ["a", "b", "c", "d", "e"].map((path) => [suggest(1, path)]),
    9,
  );
  expect(many?.why).toMatch(/^for 5 of 9 issues: changed a .*changed c in 4f2e9a1; and 2 other reasons$/);
  expect(joinSuggestions([[1, 2, 3, 4, 5, 6].map((id) => suggest(id, "a.js"))], 2)).toHaveLength(5);
});
