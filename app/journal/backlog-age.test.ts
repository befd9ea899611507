import { expect, test } from "vitest";
import { BacklogAge } from "./backlog-age.ts";

test("the oldest record is the first that is not released", () => {
  const age = new BacklogAge(0, 1_000);
  age.add(0, 5_000);
  age.add(10, 5_500);
  age.add(20, 7_000);
  expect(age.oldestAt(0)).toBe(5_000);
  expect(age.oldestAt(15)).toBe(5_000);
  expect(age.oldestAt(20)).toBe(7_000);
});

test("a record that comes after a quiet time has not waited since then", () => {
  const age = new BacklogAge(0, 0);
  age.add(0, 1_000);
  age.add(1, 1_000_000);
  expect(age.oldestAt(1)).toBe(1_000_000);
});

test("what was there before the start counts from when it was written", () => {
  const age = new BacklogAge(100, 1_000);
  age.add(150, 9_000);
  expect(age.oldestAt(120)).toBe(1_000);
  expect(age.oldestAt(150)).toBe(9_000);
});

test("a backlog of hours is remembered in bounded memory, and never seems younger than it is", () => {
  const age = new BacklogAge(0, 0);
  for (let second = 1; second <= 50_000; second++) age.add(second * 10, second * 1_000);
  const at = age.oldestAt(200_005);
  expect(at).toBeLessThanOrEqual(20_000_000);
  expect(at).toBeGreaterThan(19_900_000);
});
