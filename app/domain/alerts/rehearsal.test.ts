import { expect, test } from "vitest";
import { MINUTE_MS } from "../time.ts";
import { applyFrequency, findBetterLine, findPeriods } from "./rehearsal.ts";

const windows = (issueId: number, ...values: number[]) =>
  values.map((value, index) => ({ issueId, at: index * MINUTE_MS, value }));
const of = { kind: "events", count: 20, stepMs: MINUTE_MS, until: 10 * MINUTE_MS } as const;

test("a period begins on the line and ends below it", () => {
  const found = findPeriods([...windows(1, 5, 20, 40, 3, 21, 19), ...windows(2, 0, 0, 0, 0, 30)], of);
  expect(found).toEqual([
    { issueId: 1, trigger: "events", at: MINUTE_MS, endedAt: 3 * MINUTE_MS, peak: 40 },
    { issueId: 1, trigger: "events", at: 4 * MINUTE_MS, endedAt: 5 * MINUTE_MS, peak: 21 },
    { issueId: 2, trigger: "events", at: 4 * MINUTE_MS, endedAt: 5 * MINUTE_MS, peak: 30 },
  ]);
});

test("one that is still above the line at the end is open", () => {
  expect(findPeriods(windows(1, 20, 20), { ...of, until: MINUTE_MS })).toMatchObject([{ at: 0, endedAt: null }]);
});

test("nothing of an issue is told again within the frequency", () => {
  const firing = (issueId: number, minutes: number) => ({
    issueId,
    trigger: "new" as const,
    at: minutes * MINUTE_MS,
    endedAt: null,
    peak: null,
  });
  const all = [firing(1, 30), firing(1, 0), firing(1, 29), firing(2, 29)];
  expect(applyFrequency(all, 30).map(({ issueId, at }) => [issueId, at / MINUTE_MS])).toEqual([
    [1, 0],
    [2, 29],
    [1, 30],
  ]);
  expect(applyFrequency(all, 0)).toHaveLength(4);
});

test("a better line fires at most half as often, and still fires", () => {
  const firesAt =
    (...peaks: number[]) =>
    (line: number) =>
      peaks.flatMap((peak, index) => (peak >= line ? [{ issueId: index }] : []));
  const peaks = [20, 21, 22, 23, 24, 25, 60, 90];
  expect(findBetterLine(20, firesAt(...peaks))).toEqual({ count: 30, times: 2 });
  expect(findBetterLine(20, firesAt(20, 20, 20, 60, 90))).toBeNull();
  expect(findBetterLine(20, firesAt(20, 20, 20, 20, 20, 20))).toBeNull();
  // Somebody dealt with the issue at 90, then with one at 25, and with one for which the rule never fired.
  expect(findBetterLine(20, firesAt(...peaks), new Set([7]))).toEqual({ count: 30, times: 2 });
  expect(findBetterLine(20, firesAt(...peaks), new Set([5, 7]))).toBeNull();
  expect(findBetterLine(20, firesAt(...peaks), new Set([99]))).toEqual({ count: 30, times: 2 });
});
