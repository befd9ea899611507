import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../time.ts";
import type { AlertStep } from "./alert-rule.ts";
import { findDueStep, findNextAt } from "./escalation.ts";

const AT = Date.UTC(2026, 4, 20, 12);
const STEPS: AlertStep[] = [
  { afterMinutes: 15, actions: [{ kind: "team", id: 3 }] },
  { afterMinutes: 60, actions: [{ kind: "members" }] },
];
const period = { openedAt: AT, nextStep: 0, acknowledged: null, ended: null };
const at = (minutes: number) => AT + minutes * MINUTE_MS;

describe("the step that is due", () => {
  test("is the next one, from its minute on", () => {
    expect(findDueStep(STEPS, period, at(15) - 1)).toBeNull();
    expect(findDueStep(STEPS, period, at(15))).toEqual({ number: 0, step: STEPS[0] });
    expect(findDueStep(STEPS, { ...period, nextStep: 1 }, at(59))).toBeNull();
    expect(findDueStep(STEPS, { ...period, nextStep: 1 }, at(60))?.number).toBe(1);
  });

  test("is the first that was not told, where several are due", () => {
    expect(findDueStep(STEPS, period, at(600))?.number).toBe(0);
  });

  test("is none after the last one, once somebody has acknowledged, or after the end", () => {
    expect(findDueStep(STEPS, { ...period, nextStep: 2 }, at(600))).toBeNull();
    expect(findDueStep(STEPS, { ...period, acknowledged: { at: at(1), by: null } }, at(600))).toBeNull();
    expect(findDueStep(STEPS, { ...period, ended: { at: at(1), reason: "resolved" } }, at(600))).toBeNull();
  });

  test("is none while the clock is before the beginning", () => {
    expect(findDueStep(STEPS, period, at(-600))).toBeNull();
  });
});

test("the next step is due as long after the first message as the rule says", () => {
  expect(findNextAt(STEPS, { openedAt: AT, nextStep: 1 })).toBe(at(60));
  expect(findNextAt(STEPS, { openedAt: AT, nextStep: 2 })).toBeNull();
  expect(findNextAt([], period)).toBeNull();
});
