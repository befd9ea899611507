import { expect, test } from "vitest";
import { countWithUnstored } from "./count-unstored.ts";

const count = (...parameters: Parameters<typeof countWithUnstored>) =>
  Object.fromEntries(countWithUnstored(...parameters));

test("a rule about all events counts those that were not stored, also of an issue without any that is", () => {
  const stored = [
    { issueId: 1, fitting: 10, all: 10 },
    { issueId: 2, fitting: 3, all: 3 },
  ];
  const unstored = new Map([
    [1, 90],
    [7, 40],
  ]);
  expect(count(stored, unstored, true)).toEqual({ 1: 100, 2: 3, 7: 40 });
});

test("a rule about some events takes their share of the stored ones", () => {
  const unstored = new Map([
    [1, 90],
    [2, 90],
    [7, 40],
  ]);
  const stored = [
    { issueId: 1, fitting: 5, all: 10 },
    { issueId: 2, fitting: 0, all: 0 },
  ];
  expect(count(stored, unstored, false)).toEqual({ 1: 50, 2: 0 });
});
