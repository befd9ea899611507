import { expect, test } from "vitest";
import { type IssueState, sayIssuePageNews } from "./issue-page-news.ts";

const state = (more: Partial<IssueState> = {}): IssueState => ({
  status: "unresolved",
  substatus: "ongoing",
  eventCount: 5,
  mergedInto: null,
  isSettled: true,
  done: [],
  ...more,
});

test("nothing is said of an issue that is as it was shown", () => {
  expect(sayIssuePageNews(state(), state())).toBeNull();
  // New issues become ongoing by themselves, and retention deletes events. Neither is news.
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
  const archived = state({ status: "archived", eventCount: 5 });
  expect(sayIssuePageNews(archived, state({ substatus: "escalating", eventCount: 45 }))).toBe(
    "Escalating: far more events than before, 40 new events",
  );
  // An issue that had come back before it was resolved, and an undo of that resolve, which is not an event.
  const again = state({ status: "resolved", substatus: "regressed" });
  expect(sayIssuePageNews(again, state({ substatus: "regressed", eventCount: 6 }))).toBe(
    "Regressed: it happened again, 1 new event",
  );
  expect(sayIssuePageNews(again, state({ substatus: "regressed" }))).toBe("Reopened meanwhile");
});

test("what other people did is said with their names, in place of the status that they gave it", () => {
  const done = ["Mara resolved it in 2.4.1"];
  expect(sayIssuePageNews(state(), state({ status: "resolved", done }))).toBe("Mara resolved it in 2.4.1");
  expect(sayIssuePageNews(state(), state({ done: ["Ben commented", "Mara assigned it to Ben"], eventCount: 6 }))).toBe(
    "Ben commented and 1 more change, 1 new event",
  );
  // It came back by itself after somebody resolved it.
  const again = state({ substatus: "regressed", eventCount: 6, done: ["Mara resolved it"] });
  expect(sayIssuePageNews(state({ status: "resolved" }), again)).toBe(
    "Regressed: it happened again, Mara resolved it, 1 new event",
  );
});

test("an issue that ended is said to be gone, whatever else happened to it", () => {
  expect(sayIssuePageNews(state(), "gone")).toBe("Deleted meanwhile, or you may not see it any more");
  expect(sayIssuePageNews(state(), state({ mergedInto: "SHOP-2", eventCount: 9, done: ["Mara resolved it"] }))).toBe(
    "Merged into SHOP-2",
  );
});
