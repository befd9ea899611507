import { expect, test } from "vitest";
import { formatNumber } from "./format-number.ts";

test.each([
  [0, "0"],
  [1234.56, "1,235"],
  [-0.25, "-0.25"],
  [999_900_000_000_000, "999,900,000,000,000"],
  [1.2e99, "1.2E99"],
  [-1e200, "-1E200"],
  [2.5e-150, "2.5E-150"],
])("%d is shown as %s", (value, shown) => {
  expect(formatNumber(value)).toBe(shown);
});
