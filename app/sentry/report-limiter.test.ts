import { expect, test } from "vitest";
import { createReportLimiter } from "./report-limiter.ts";

test("reports a fault that repeats a few times a minute, and others beside it", () => {
  const limiter = createReportLimiter();
  const reported = Array.from({ length: 20 }, () => limiter.mayReport("TypeError: a", 1000)).filter(Boolean);
  expect(reported).toHaveLength(5);
  expect(limiter.mayReport("TypeError: b", 1000)).toBe(true);
  expect(limiter.mayReport("TypeError: a", 61_000)).toBe(true);
});

test("reports so many a minute in all, when each is a new one", () => {
  const limiter = createReportLimiter();
  const reported = Array.from({ length: 200 }, (_, index) => limiter.mayReport(`Error: ${index}`, 1000)).filter(
    Boolean,
  );
  expect(reported).toHaveLength(60);
});
