import { expect, test } from "vitest";
import { sayOffset } from "./say-offset.ts";

test.each([
  [0, "0"],
  [-612_000, "−612 ms"],
  [-6_020_000, "−6.02 s"],
  [7_500_000_000, "+2 h 5 min"],
])("a line %i µs from the open one", (us, text) => {
  expect(sayOffset(us)).toBe(text);
});
