import { expect, test } from "vitest";
import { toCharacterNumber } from "./character-number.ts";

test.each([
  ["level:loud", 6, 7],
  ["🔥 level:loud", 9, 9],
  // A family of four, a flag, and an accent of its own.
  ["👨‍👩‍👧‍👦🇨🇭e\u0301 x", 18, 5],
  ["🔥", 1, 1],
  ["🔥", 2, 2],
  ["ab", 2_000, 3],
  ["", 0, 1],
])("%s at %i", (text, at, number) => {
  expect(toCharacterNumber(text, at)).toBe(number);
});
