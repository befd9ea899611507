import { expect, test } from "vitest";
import { NumberIndex } from "./number-index.ts";

test("gives a value its number again, and a new value the next", () => {
  const index = new NumberIndex();
  const values = Array.from({ length: 10_000 }, (_, number) => (number * 2_654_435_761) % 2 ** 53);
  expect(values.map((value) => index.numberOf(value))).toEqual(values.map((_, place) => place + 1));
  expect(values.map((value) => index.numberOf(value))).toEqual(values.map((_, place) => place + 1));
  expect(index.size).toBe(10_000);
});

test("tells values apart whose lower 32 bits are the same", () => {
  const index = new NumberIndex();
  expect([5, 5 + 2 ** 32, 5 + 2 ** 40, 5].map((value) => index.numberOf(value))).toEqual([1, 2, 3, 1]);
});

test("takes some 24 bytes for a value", () => {
  const index = new NumberIndex();
  for (let value = 0; value < 60_000; value++) index.numberOf(value * 1_000_003);
  expect(index.byteLength / 60_000).toBeLessThan(24);
});
