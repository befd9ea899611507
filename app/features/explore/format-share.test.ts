import { expect, test } from "vitest";
import { formatShare } from "./format-share.ts";

test("a share is in percent, and none of something is 0 %", () => {
  expect([0, 0.001, 0.009, 0.014, 0.5, 1].map(formatShare)).toEqual(["0 %", "< 1 %", "< 1 %", "1 %", "50 %", "100 %"]);
});
