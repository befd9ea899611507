import { expect, test } from "vitest";
import {
  readFeedbackEventId,
  readFeedbackIssueId,
  toFeedbackEventId,
  toFeedbackIssueId,
  toFeedbackShortId,
} from "../../../domain/feedback/feedback-issue-id.ts";
import { parseShortId, toShortId } from "../issues/short-id.ts";

test.each([1, 12, 999_999_999_999_999, -1, -5])("%i is found by its id and its short id", (id) => {
  expect(readFeedbackIssueId(toFeedbackIssueId(id))).toBe(id);
  expect(readFeedbackIssueId(toFeedbackShortId(id, "my-shop").toLowerCase())).toBe(id);
});

test.each([1, 999_999_999_999_999, -5])("%i without an event id is found by the id that stands for it", (id) => {
  expect(readFeedbackEventId(toFeedbackEventId({ id, eventId: null }))).toContain(id);
});

test.each(["0".repeat(32), "f".repeat(32)])("%s stands for no feedback", (eventId) => {
  expect(readFeedbackEventId(eventId)).toEqual([]);
});

test.each(["12", "SHOP-12", "U0", "U-5", "SHOP-U", "FEEDBACK-12", "u12.md", ""])("%s is not of feedback", (text) => {
  expect(readFeedbackIssueId(text)).toBeNull();
});

test("no short id of an issue is one of feedback, however it is typed", () => {
  for (let number = 1; number < 40_000; number += 7) {
    const shortId = toShortId("SHOP", number);
    expect(readFeedbackIssueId(shortId)).toBeNull();
    expect(readFeedbackIssueId(parseShortId(shortId))).toBeNull();
  }
});
