import { expect, test } from "vitest";
import type { IssueActivity } from "../../stores/state/issue-store.ts";
import { toActivitySentence } from "./activity-sentence.ts";

const ada = { id: 1, name: "Ada" };
const say = (kind: IssueActivity["kind"], data: Record<string, unknown> = {}, user: IssueActivity["user"] = ada) =>
  toActivitySentence({ id: 1, issueId: 1, at: 0, kind, user, data });

test("each kind of activity says who did what, and what it waits for", () => {
  expect(say("first_seen")).toBe("First seen");
  expect(say("resolved")).toBe("Ada resolved it");
  expect(say("resolved", { resolution: { kind: "next_release", after: "web@1.3.0" } })).toBe(
    "Ada resolved it in the next release after web@1.3.0",
  );
  expect(say("resolved", { resolution: { kind: "release", version: "web@1.4.0" } }, null)).toBe(
    "Culprit resolved it in web@1.4.0",
  );
  expect(say("archived", { isUndo: true })).toBe("Ada archived it, undoing a change");
  expect(say("reopened")).toBe("Ada reopened it");
  expect(say("regressed", { eventId: "4711" })).toBe("Happened again after it was resolved");
  expect(say("regressed", { release: "web@1.5.0" })).toBe("Happened again after it was resolved, in web@1.5.0");
});

test("what a source map showed is said with the other issue and how many events it is about", () => {
  const other = { shortId: "WEB-2", issueId: 2 };
  expect(say("joined", { ...other, events: 1_200, isWhole: true }, null)).toBe(
    "WEB-2 joined it with 1,200 events: a source map showed that they are the same error",
  );
  expect(say("joined", { ...other, events: 1, isWhole: false }, null)).toBe(
    "1 event of WEB-2 joined it: a source map showed that this is their error",
  );
  expect(say("split_off", { ...other, events: 3 }, null)).toBe(
    "Split off from WEB-2 with 3 events: a source map showed that this is another error",
  );
  expect(say("moved_away", { ...other, events: 3 }, null)).toBe(
    "3 events moved to WEB-2: a source map showed that they are of another error",
  );
});

test("what happened to an issue that has joined since bears its name", () => {
  const of = { ofShortId: "WEB-3" };
  expect(say("resolved", of)).toBe("Ada resolved WEB-3");
  expect(say("archived", { ...of, isUndo: true })).toBe("Ada archived WEB-3, undoing a change");
  expect(say("reopened", of)).toBe("Ada reopened WEB-3");
  expect(say("regressed", { ...of, release: "web@1.5.0" })).toBe(
    "WEB-3 happened again after it was resolved, in web@1.5.0",
  );
  expect(say("joined", { ...of, shortId: "WEB-4", events: 2, isWhole: true }, null)).toBe(
    "WEB-4 joined WEB-3 with 2 events: a source map showed that they are the same error",
  );
  expect(say("split_off", { ...of, shortId: "WEB-4", events: 2 }, null)).toContain("WEB-3 split off from WEB-4");
});
