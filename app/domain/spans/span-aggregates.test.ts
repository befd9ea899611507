import { expect, test } from "vitest";
import { aggregateOf, isUnsure, readAggregate } from "./span-aggregates.ts";

const SUM = {
  weight: 5,
  failedWeight: 4,
  totalUs: 7_000,
  durations: [
    [118, 4],
    [137, 1],
  ],
} as const;

test("figures count each span as often as its rate says", () => {
  expect(aggregateOf("count()", SUM)).toBe(5);
  expect(aggregateOf("failure_rate()", SUM)).toBe(0.8);
  expect(aggregateOf("avg(span.duration)", SUM)).toBe(1_400);
  expect(aggregateOf("p50(span.duration)", SUM)).toBeCloseTo(1_000, -2);
  expect(aggregateOf("max(span.duration)", SUM)).toBeGreaterThan(2_900);
  expect(aggregateOf("p95(span.duration)", { ...SUM, weight: 0, durations: [] })).toBeNull();
});

test("reads the names that tools have for figures", () => {
  expect(readAggregate("p95(transaction.duration)")).toBe("p95(span.duration)");
  expect(readAggregate("count(span.duration)")).toBe("count()");
  expect(readAggregate("p95(measurements.lcp)")).toBeNull();
});

test("few spans that stand for more are unsure, few that are all of them are not", () => {
  expect(isUnsure({ spans: 29, weight: 290 })).toBe(true);
  expect(isUnsure({ spans: 30, weight: 300 })).toBe(false);
  expect(isUnsure({ spans: 2, weight: 2 })).toBe(false);
});
