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
  const peaks = [20, 21, 22, 23, 24, 25, 60, 90];
  const firesAt = (line: number) => peaks.filter((peak) => peak >= line).length;
  expect(findBetterLine(20, 8, firesAt)).toEqual({ count: 30, times: 2 });
  expect(findBetterLine(20, 5, firesAt)).toBeNull();
  expect(findBetterLine(20, 6, (line) => (line > 20 ? 0 : 6))).toBeNull();
});
