import { expect, test } from "vitest";
import { formatAge, formatAgo } from "./format-age.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5 * MINUTE, "now"],
  [9 * SECOND, "now"],
  [59 * SECOND, "50s"],
  [MINUTE, "1min"],
  [HOUR - 1, "59min"],
  [HOUR, "1h"],
  [47 * HOUR, "47h"],
  [2 * DAY, "2d"],
  [59 * DAY, "59d"],
  [60 * DAY, "8wk"],
  [730 * DAY, "2yr"],
])("an age of %d ms is %s", (age, text) => {
  expect(formatAge(age)).toBe(text);
});

test("a sentence says how long ago, except for now", () => {
  expect(formatAgo(0)).toBe("just now");
  expect(formatAgo(3 * HOUR)).toBe("3h ago");
});
