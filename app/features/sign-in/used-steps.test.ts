import { expect, test } from "vitest";
import { UsedSteps } from "./used-steps.ts";

const open = (maxSteps: number) => new UsedSteps({ maxSteps, keptMs: 1000 });
const step = (identifier: string, keptAt: number) => ({ identifier, keptAt });

test("a step is of use once", () => {
  const used = open(10);
  expect(used.has(step("a", 5))).toBe(false);
  expect([used.take(step("a", 5), 6), used.take(step("a", 5), 7), used.has(step("a", 5))]).toEqual([true, false, true]);
  expect(used.take(step("b", 5), 7)).toBe(true);
});

test("a flood of used steps lets none be used again: those that are as old as a forgotten one are refused", () => {
  const used = open(3);
  for (const at of [10, 20, 30, 40, 50]) expect(used.take(step(`of ${at}`, at), at + 1)).toBe(true);
  for (const at of [10, 20, 30, 40, 50]) expect(used.take(step(`of ${at}`, at), 60)).toBe(false);
  // Somebody who was slow begins again; who began since then goes on.
  expect([used.take(step("slow", 15), 60), used.take(step("quick", 45), 60)]).toEqual([false, true]);
});

test("steps that are over make room without a refusal", () => {
  const used = open(2);
  used.take(step("a", 0), 1);
  used.take(step("b", 1), 2);
  expect([used.take(step("c", 1001), 1002), used.take(step("late", 1001), 1003)]).toEqual([true, true]);
  expect(used.has(step("begun then", 2))).toBe(false);
});
