import { expect, test } from "vitest";
import { isArriving, toPause } from "./look-again.ts";

test("a trace is looked at again at pauses that grow, up to a minute, while its newest span is known to be young", () => {
  expect([0, 29_000, 90_000, 600_000, 3_599_999].map(toPause)).toEqual([3_000, 3_000, 9_000, 60_000, 60_000]);
  expect(toPause(null)).toBeNull();
});

test("only a trace whose newest span came in the last seconds is called arriving", () => {
  expect([0, 29_999, 30_000, null].map(isArriving)).toEqual([true, true, false, false]);
});
