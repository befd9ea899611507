import { expect, test } from "vitest";
import { type IssueState, sayIssuePageNews } from "./issue-page-news.ts";

const state = (more: Partial<IssueState> = {}): IssueState => ({
  status: "unresolved",
  substatus: "ongoing",
  eventCount: 5,
  ...more,
});

test("nothing is said of an issue that is as it was shown", () => {
  expect(sayIssuePageNews(state(), state())).toBeNull();
  // New issues become ongoing ones by themselves, and retention takes events: neither is news.
  expect(sayIssuePageNews(state({ substatus: "new" }), state({ eventCount: 4 }))).toBeNull();
});

test("events are counted", () => {
  expect(sayIssuePageNews(state(), state({ eventCount: 6 }))).toBe("1 new event");
  expect(sayIssuePageNews(state(), state({ eventCount: 2005 }))).toBe("2,000 new events");
});

test("what somebody did meanwhile is said, and that an issue came back", () => {
  const resolved = state({ status: "resolved" });
  expect(sayIssuePageNews(state(), resolved)).toBe("Resolved meanwhile");
  expect(sayIssuePageNews(state(), state({ status: "archived", eventCount: 7 }))).toBe(
    "Archived meanwhile, 2 new events",
  );
  expect(sayIssuePageNews(resolved, state())).toBe("Reopened meanwhile");
  expect(sayIssuePageNews(resolved, state({ substatus: "regressed", eventCount: 6 }))).toBe(
    "Regressed: it happened again, 1 new event",
  );
  // One that had come back before it was resolved; and an undo of that resolve, which is no event.
  const again = state({ status: "resolved", substatus: "regressed" });
  expect(sayIssuePageNews(again, state({ substatus: "regressed", eventCount: 6 }))).toBe(
    "Regressed: it happened again, 1 new event",
  );
  expect(sayIssuePageNews(again, state({ substatus: "regressed" }))).toBe("Reopened meanwhile");
});
