import { expect, test } from "vitest";
import { sayReleaseSourceMaps } from "./say-release-source-maps.ts";

test.each([
  [14, 12, 2, "12 of 14 files mapped, 2 missing"],
  [14, 12, 0, "12 of 14 files mapped"],
  [12, 12, 0, "all 12 files mapped"],
  [1, 1, 0, "its file mapped"],
  [1, 0, 0, "0 of 1 file mapped"],
  [2, 0, 2, "none uploaded, 2 missing"],
  [1_300, 1_200, 1_100, "1,200 of 1,300 files mapped, 1,100 missing"],
])("%d files, %d mapped and %d missing: %s", (fileCount, mappedCount, wantedCount, text) => {
  expect(sayReleaseSourceMaps({ fileCount, mappedCount, wantedCount })).toBe(text);
});
