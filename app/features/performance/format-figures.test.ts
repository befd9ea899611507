import { expect, test } from "vitest";
import { formatRate, formatThroughput, formatVital } from "./format-figures.ts";

test.each([
  [1_240, "1,240/min"],
  [12.44, "12.4/min"],
  [1.26, "1.3/min"],
  [0.3, "18/h"],
  [0.01, "14.4/d"],
])("%d a minute is %s", (perMinute, text) => {
  expect(formatThroughput(perMinute)).toBe(text);
});

test("what is more than nothing never looks like nothing", () => {
  expect([0, 0.00001, 0.0042, 0.25].map(formatRate)).toEqual(["0 %", "< 0.01 %", "0.42 %", "25 %"]);
});

test("layout shifts have no unit", () => {
  expect([formatVital("cls", 0.104), formatVital("lcp", 2_400)]).toEqual(["0.10", "2.4 s"]);
});
