import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 KB"],
  [1_540, "1.5 KB"],
  [12_345, "12 KB"],
  [999_600, "1 MB"],
  [40_000_000, "40 MB"],
  [5e12, "5000 GB"],
])("%d is %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
