import { expect, test } from "vitest";
import { type FollowedChange, type IssueChange, pickChanges, sayChange } from "./issue-change.ts";

const change = (kind: FollowedChange): IssueChange => ({ issueId: 1, kind, by: "Ada", assignee: null });
const pick = (...kinds: FollowedChange[]) => pickChanges(kinds.map(change)).get(1)?.kind;

test("a message says the last change of the status, or else who has the issue", () => {
  expect([pick("assigned", "acknowledged"), pick("acknowledged", "unacknowledged")]).toEqual([
    "acknowledged",
    "unacknowledged",
  ]);
  expect([pick("acknowledged", "resolved"), pick("resolved", "acknowledged")]).toEqual(["resolved", "resolved"]);
  expect([pick("resolved", "reopened"), pick("resolved", "reopened", "acknowledged")]).toEqual([
    "reopened",
    "acknowledged",
  ]);
});

test("a change is said with who made it", () => {
  expect(sayChange(change("acknowledged"))).toBe("Acknowledged by Ada");
  expect(sayChange({ ...change("unacknowledged"), by: null })).toBe("Not acknowledged any more");
});
