import { expect, test } from "vitest";
import { formatDuration } from "./format-duration.ts";

test.for([
  [0, "0 µs"],
  [320, "320 µs"],
  [999.6, "1000 µs"],
  [1_500, "1.5 ms"],
  [22_400, "22 ms"],
  [999_499, "999 ms"],
  [999_500, "1 s"],
  [5_618_000, "5.62 s"],
  [59_994_999, "59.99 s"],
  [60_000_000, "1 min"],
  [200_000_000, "3 min 20 s"],
  [7_500_000_000, "2 h 5 min"],
  [100_000_000_000, "1 d 4 h"],
  [-212_000, "−212 ms"],
] as const)("%s microseconds are %s", ([us, text]) => {
  expect(formatDuration(us)).toBe(text);
});
