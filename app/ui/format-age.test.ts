import { expect, test } from "vitest";
import { formatAge, formatAgo } from "./format-age.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5 * MINUTE, "now"],
  [9 * SECOND, "now"],
  [59 * SECOND, "50\u00a0s"],
  [MINUTE, "1\u00a0min"],
  [HOUR - 1, "59\u00a0min"],
  [HOUR, "1\u00a0h"],
  [47 * HOUR, "47\u00a0h"],
  [2 * DAY, "2\u00a0d"],
  [59 * DAY, "59\u00a0d"],
  [60 * DAY, "8\u00a0wk"],
  [730 * DAY, "2\u00a0yr"],
])("an age of %d ms is %s", (age, text) => {
  expect(formatAge(age)).toBe(text);
});

test("a sentence says how long ago, except for now", () => {
  expect(formatAgo(0)).toBe("just now");
  expect(formatAgo(3 * HOUR)).toBe("3\u00a0h ago");
});
