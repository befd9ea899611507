import { expect, test } from "vitest";
import { createFeedbackLimit, FEEDBACK_LIMITS } from "./feedback-limit.ts";

test("an address sends a few reports, then waits for the end of its window while others send theirs", () => {
  const limit = createFeedbackLimit();
  for (let sent = 0; sent < FEEDBACK_LIMITS.network.maxAttempts; sent++) expect(limit.count("192.0.2.1", 0)).toBe(0);
  expect(limit.count("192.0.2.1", 60_000)).toBe(FEEDBACK_LIMITS.network.windowMs / 1000 - 60);
  expect(limit.count("192.0.2.2", 60_000)).toBe(0);
  expect(limit.count("192.0.2.1", FEEDBACK_LIMITS.network.windowMs)).toBe(0);
});

test("many addresses together send no more than the limit for everybody", () => {
  const limit = createFeedbackLimit();
  let taken = 0;
  for (let at = 0; at < 500; at++) if (limit.count(`2001:db8:${at}::1`, 0) === 0) taken += 1;
  expect(taken).toBe(FEEDBACK_LIMITS.everybody.maxAttempts);
});
