import { expect, test } from "vitest";
import type { IssueActivity } from "../../stores/state-store.ts";
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
  expect(say("joined", { shortId: "WEB-2", isWhole: false })).toContain("WEB-2");
  expect(say("split_off", { shortId: "WEB-2" })).toContain("WEB-2");
  expect(say("moved_away", { shortId: "WEB-2" })).toContain("WEB-2");
});
