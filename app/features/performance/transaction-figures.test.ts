import { expect, test } from "vitest";
import { HOUR_MS } from "../../domain/time.ts";
import type { TransactionSum } from "../../stores/events/transaction-sums.ts";
import { toChange, toFigures } from "./transaction-figures.ts";

/** Figures of transactions with one duration. Bucket 217 holds 310 ms, bucket 207 holds 174 ms. */
function figures(spans: number, bucket: number, change: Partial<TransactionSum> = {}, apdexMs = 300) {
  const sum: TransactionSum = {
    projectId: 1,
    name: "GET /",
    op: "http.server",
    at: null,
    spans,
    weight: spans,
    failedWeight: 0,
    totalUs: 1,
    durations: [[bucket, spans]],
    ...change,
  };
  return toFigures(sum, { ms: HOUR_MS, apdexMs });
}

test("figures are of what the stored ones stand for", () => {
  const sampled = figures(30, 207, { weight: 300, failedWeight: 30, durations: [[207, 300]] });
  expect(sampled).toMatchObject({ perMinute: 5, failureRate: 0.1, apdex: 1, isUnsure: false });
  expect(figures(29, 207, { weight: 290 })).toMatchObject({ isUnsure: true });
  expect(toFigures(undefined, { ms: HOUR_MS, apdexMs: 300 })).toBeNull();
});

test("Apdex is by the threshold of the project", () => {
  const apdexAt = (apdexMs: number) => figures(10, 217, {}, apdexMs)?.apdex;
  expect([400, 300, 70].map(apdexAt)).toEqual([1, 0.5, 0]);
  expect(figures(10, 217, {}, 400)).toMatchObject({ apdexMs: 400 });
});

test("a change is said of enough of them, and when it is more than histograms are off", () => {
  expect(toChange(figures(40, 217), figures(40, 207))).toMatchObject({
    kind: "slower",
    ratio: expect.closeTo(0.79, 1),
  });
  expect(toChange(figures(40, 207), figures(40, 217))).toMatchObject({ kind: "faster" });
  expect(toChange(figures(40, 208), figures(40, 207)).kind).toBe("same");
  expect(toChange(figures(40, 217), figures(19, 207)).kind).toBe("too-little");
  expect(toChange(figures(40, 217), null).kind).toBe("new");
});
