import { expect, test } from "vitest";
import { adoptionShare, DEFAULT_HEALTH_GOAL, judgeHealth, parseShare } from "./release-health.ts";

const judge = (total: number, crashed: number) => judgeHealth({ total, crashed }, DEFAULT_HEALTH_GOAL);

test("a release is at its target, between target and floor, or below the floor", () => {
  expect(judge(1_000, 0)).toEqual({ crashFree: 1, state: "good", allowedCrashes: 5, spent: 0 });
  expect(judge(1_000, 5)).toMatchObject({ state: "good", spent: 1 });
  expect(judge(1_000, 6)).toMatchObject({ state: "below-target", spent: 1.2 });
  expect(judge(1_000, 20)).toMatchObject({ state: "below-target", spent: 4 });
  expect(judge(1_000, 21)).toMatchObject({ state: "below-floor" });
});

test("no session is no rate, and a few sessions are no judgement", () => {
  expect(judge(0, 0)).toEqual({ crashFree: null, state: "unknown", allowedCrashes: 0, spent: null });
  expect(judge(19, 10)).toMatchObject({ state: "few" });
  expect(judge(20, 10)).toMatchObject({ state: "below-floor" });
  // Updates of sessions whose beginning never came.
  expect(judge(20, 30)).toMatchObject({ crashFree: 0 });
});

test("a target of 100 % has no budget", () => {
  expect(judgeHealth({ total: 100, crashed: 1 }, { target: 1, floor: 0.99 })).toEqual({
    ...{ crashFree: 0.99, allowedCrashes: 0, spent: null, state: "below-target" },
  });
});

test("adoption is a share of what there was", () => {
  expect(adoptionShare(25, 100)).toBe(0.25);
  expect(adoptionShare(0, 0)).toBeNull();
});

test("shares are read as people type them", () => {
  expect(["99.5", " 99,5 % ", "100", "0"].map((text) => parseShare(text))).toEqual([0.995, 0.995, 1, 0]);
  expect(["", "x", "-1", "101", "99.12345", "1e2"].map((text) => parseShare(text))).toEqual(Array(6).fill(null));
  expect(parseShare("49", 0.5)).toBeNull();
});
