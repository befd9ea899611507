import { describe, expect, test } from "vitest";
import type { MetricSettings } from "./metric-monitor.ts";
import { figureOf, type MetricSum, NO_SUM, sayDoubt, slideWindows, toWholeSum } from "./metric-sum.ts";
import { rehearsedStepMinutes, rehearseMetric, suggestLine } from "./rehearse-metric.ts";
import { shareKnown } from "./share-known.ts";

const MINUTE = 60_000;
const SETTINGS: MetricSettings = {
  name: "Errors",
  dataset: "errors",
  figure: "count()",
  query: "",
  environment: null,
  windowMinutes: 10,
  comparison: "none",
  direction: "above",
  critical: 10,
  warning: null,
  recovery: null,
};

describe("windows", () => {
  test("slide over the sums, and say what adding each window up says", () => {
    const sums = new Map<number, MetricSum>();
    for (let minute = 0; minute < 60; minute += 5)
      if (minute % 15 !== 0)
        sums.set(minute * MINUTE, {
          // Those of the first half stand for more than themselves.
          spans: minute < 30 ? 5 : minute,
          weight: minute,
          failedWeight: minute / 5,
          totalUs: minute * 1000,
          durations: [[minute, minute]],
        });
    const range = { from: 20 * MINUTE, to: 60 * MINUTE, stepMs: 5 * MINUTE, windowMs: 20 * MINUTE };
    for (const figure of ["count()", "failure_rate()", "p95(span.duration)", "avg(span.duration)"] as const)
      for (const { at, value, doubt } of slideWindows(figure, sums, range)) {
        const own = [...sums].filter(([begin]) => begin >= at - range.windowMs && begin < at).map(([, sum]) => sum);
        const added: MetricSum = {
          spans: own.reduce((sum, each) => sum + each.spans, 0),
          weight: own.reduce((sum, each) => sum + each.weight, 0),
          failedWeight: own.reduce((sum, each) => sum + each.failedWeight, 0),
          totalUs: own.reduce((sum, each) => sum + each.totalUs, 0),
          durations: own.flatMap(({ durations }) => [...durations]),
        };
        expect([figure, at, value, doubt]).toEqual([figure, at, figureOf(figure, added), sayDoubt(added)]);
      }
  });

  test("few that were kept of many make a doubt, which all of few are not", () => {
    expect(sayDoubt({ ...NO_SUM, spans: 7, weight: 1_400.2 })).toBe(
      "Low confidence: 7 kept, which stand for about 1,400.",
    );
    expect(sayDoubt({ ...NO_SUM, spans: 30, weight: 300 })).toBeNull();
    expect([sayDoubt(toWholeSum(7)), sayDoubt(NO_SUM)]).toEqual([null, null]);
  });

  test("a rate or a duration of nothing is none, a count of nothing is zero", () => {
    expect(figureOf("count()", NO_SUM)).toBe(0);
    expect(figureOf("p95(span.duration)", NO_SUM)).toBeNull();
    expect(figureOf("crash_rate(session)", NO_SUM)).toBeNull();
    expect(figureOf("crash_rate(session)", { ...NO_SUM, weight: 50, failedWeight: 1 })).toBe(2);
  });

  test.each([
    [1, "count()", 1],
    [10, "count()", 5],
    [1_440, "p95(span.duration)", 5],
    [60, "count_unique(user)", 12],
    [1_440, "count_unique(user)", 288],
  ] as const)("of %i minutes of %s are looked at every %i minutes", (windowMinutes, figure, step) => {
    expect(rehearsedStepMinutes({ windowMinutes, figure })).toBe(step);
  });
});

describe("a rehearsal", () => {
  const windows = (values: readonly number[]) =>
    values.map((value, index) => ({ at: index * 5 * MINUTE, value, baseline: null, count: value, doubt: null }));

  test("opens and ends as the monitor does", () => {
    const { periods } = rehearseMetric(SETTINGS, windows([1, 11, 30, 10, 12]), []);
    expect(periods).toEqual([
      { startedAt: 5 * MINUTE, endedAt: 15 * MINUTE, level: "critical", peak: 30 },
      { startedAt: 20 * MINUTE, endedAt: null, level: "critical", peak: 12 },
    ]);
  });

  test("decides nothing while Culprit was down", () => {
    const silence = { ...SETTINGS, direction: "below", critical: 1 } as const;
    const down = [{ from: 0, to: 30 * MINUTE }];
    expect(rehearseMetric(silence, windows([5, 0, 0, 5]), down).periods).toEqual([]);
    expect(rehearseMetric(silence, windows([5, 0, 0, 5]), []).periods).toHaveLength(1);
    expect(shareKnown({ from: 20 * MINUTE, to: 40 * MINUTE }, down)).toBe(0.5);
  });

  test("suggests a line that is crossed seldom, for what is crossed often", () => {
    const values = Array.from({ length: 400 }, (_, index) => (index % 100 === 50 ? 90 : index % 2 === 0 ? 5 : 15));
    const times = rehearseMetric(SETTINGS, windows(values), []).periods.length;
    const suggestion = suggestLine(SETTINGS, windows(values), { times, downtimes: [] });
    expect(times).toBeGreaterThan(100);
    expect(suggestion).toEqual({ line: 15, times: 4 });
    expect(suggestLine(SETTINGS, windows([1, 11]), { times: 1, downtimes: [] })).toBeNull();
  });
});
