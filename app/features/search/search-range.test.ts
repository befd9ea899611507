import { expect, test } from "vitest";
import { isInRange, sayRange, toggleRange } from "./search-range.ts";

test("a range of numbers takes the place of other bounds of its key, and goes when it is asked for again", () => {
  const range = { from: 200, to: 500 };
  const search = toggleRange("cart duration.ms:>=20 other:>5", "duration.ms", range);
  expect(search).toBe("cart other:>5 duration.ms:>=200 duration.ms:<500");
  expect([isInRange(search, "duration.ms", range), isInRange(search, "duration.ms", { from: 200, to: null })]).toEqual([
    true,
    false,
  ]);
  expect(toggleRange(search, "duration.ms", range)).toBe("cart other:>5");
  expect(toggleRange("", "duration.ms", { from: null, to: -0.5 })).toBe("duration.ms:<-0.5");
  expect(isInRange("", "duration.ms", range)).toBe(false);
  // A text that looks like a bound stays; a key may need quotes.
  expect(toggleRange('"say duration.ms:>20 times" duration.ms:>20', "duration.ms", range)).toBe(
    '"say duration.ms:>20 times" duration.ms:>=200 duration.ms:<500',
  );
  expect(toggleRange('"size of it":>=200 "size of it":<500 a', "size of it", { from: 1, to: null })).toBe(
    'a "size of it":>=1',
  );
  expect(toggleRange('duration.ms:many "say duration.ms:>20 times"', "size of it", range)).toBe(
    'duration.ms:many "say duration.ms:>20 times" "size of it":>=200 "size of it":<500',
  );
});

test("a range holds for the whole of a search that has a choice", () => {
  const search = toggleRange("plan:pro OR plan:free", "size", { from: 1, to: 2 });
  expect(search).toBe("(plan:pro OR plan:free) size:>=1 size:<2");
  expect(isInRange(search, "size", { from: 1, to: 2 })).toBe(true);
});

test("a range is said in words", () => {
  expect([
    sayRange({ from: null, to: 0.001 }),
    sayRange({ from: 1_000, to: 2_000 }),
    sayRange({ from: 5, to: null }),
  ]).toEqual(["under 0.001", "1,000 to 2,000", "5 and more"]);
});
