import { expect, test } from "vitest";
import { sayIssuesChange } from "./say-issues-change.server.ts";

test.each([
  [1, "1:unresolved:new", "1 issue resolved."],
  [0, null, "Nothing changed: already resolved, or deleted."],
  [20_000, null, "20,000 issues resolved. They are too many to undo."],
])("says of %i issues with undo %j: %s", (count, undo, sentence) => {
  const answer = {
    ok: true,
    kind: "status",
    status: "resolved",
    resolvedIn: null,
    archivedFor: null,
    count,
    undo,
  } as const;
  expect(sayIssuesChange(answer)).toEqual({ ok: true, message: sentence, undo });
});

test("says of a change that was refused why", () => {
  expect(sayIssuesChange({ ok: false, message: "Select the issues first." })).toEqual({
    ok: false,
    message: "Select the issues first.",
    undo: null,
  });
});
