import { expect, test } from "vitest";
import { isInBytes } from "./outcome.ts";

// As Python's SDK reports them (sentry-sdk 2.75, `record_lost_event`).
test.each([
  ["log_item", false],
  ["log_byte", true],
  ["trace_metric", false],
  ["trace_metric_byte", true],
  ["attachment_byte", true],
])("quantities of %s are bytes: %s", (category, expected) => {
  expect(isInBytes(category)).toBe(expected);
});
