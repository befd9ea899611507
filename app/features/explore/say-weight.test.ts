import { expect, test } from "vitest";
import { sayWeight } from "./say-weight.ts";

test("says how many spans there are, and where that is an estimate from few", () => {
  expect(sayWeight({ spans: 950, weight: 950, isUnsure: false })).toBe("950");
  expect(sayWeight({ spans: 950, weight: 9_500.4, isUnsure: false })).toBe(
    "about 9,500, counted from 950 that were kept",
  );
  expect(sayWeight({ spans: 7, weight: 70, isUnsure: true })).toBe(
    "about 70, counted from 7 that were kept: low confidence",
  );
});
