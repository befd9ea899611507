import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../time.ts";
import { type AlertSilence, endOfChoice, findEndProblem, findSilence, sayCovered } from "./silence.ts";

const NOON = Date.UTC(2026, 10, 22, 12);
const SILENCE: AlertSilence = {
  id: 1,
  ruleId: null,
  projectId: 3,
  environment: null,
  reason: "deploy",
  madeBy: "Ada",
  startsAt: NOON,
  endsAt: NOON + HOUR_MS,
};
const CHANGE = { ruleId: 7, projectId: 3, environment: "staging", at: NOON };

test("a silence holds from its start to before its end, for what it covers", () => {
  const isHeld = (silence: Partial<AlertSilence>, change: Partial<typeof CHANGE> = {}) =>
    findSilence([{ ...SILENCE, ...silence }], { ...CHANGE, ...change }) !== null;
  expect(isHeld({})).toBe(true);
  expect(isHeld({}, { at: NOON - 1 })).toBe(false);
  expect(isHeld({}, { at: NOON + HOUR_MS - 1 })).toBe(true);
  expect(isHeld({}, { at: NOON + HOUR_MS })).toBe(false);
  expect(isHeld({}, { projectId: 4 })).toBe(false);
  expect(isHeld({ environment: "staging" })).toBe(true);
  expect(isHeld({ environment: "production" })).toBe(false);
  expect(isHeld({ projectId: null, ruleId: 7 })).toBe(true);
  expect(isHeld({ projectId: null, ruleId: 8 })).toBe(false);
});

test("of several, the one that ends last is named", () => {
  const longer = { ...SILENCE, id: 2, endsAt: NOON + DAY_MS };
  expect(findSilence([SILENCE, longer, { ...SILENCE, id: 3 }], CHANGE)?.id).toBe(2);
});

test("an end is in the future, and within 30 days", () => {
  expect(endOfChoice("1h", NOON)).toBe(NOON + HOUR_MS);
  expect(new Date(endOfChoice("tomorrow", NOON)).toISOString()).toBe("2026-11-23T08:00:00.000Z");
  expect(findEndProblem(Number.NaN, NOON)).toMatch(/Choose/);
  expect(findEndProblem(NOON, NOON)).toMatch(/minute/);
  expect(findEndProblem(NOON + 30 * DAY_MS + 1, NOON)).toMatch(/30 days/);
  expect(findEndProblem(NOON + HOUR_MS, NOON)).toBeNull();
});

test("what it covers is said", () => {
  expect(sayCovered({ rule: "Checkout", project: "shop", environment: null })).toBe("the rule Checkout, shop");
  expect(sayCovered({ rule: null, project: null, environment: "staging" })).toBe("environment staging");
});
