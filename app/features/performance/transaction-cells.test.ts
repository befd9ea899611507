import { expect, test } from "vitest";
import { createRandom } from "../../domain/search/fixtures/random.ts";
import { BUCKET_GROWTH, quantileOf } from "../../domain/spans/duration-histogram.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { TransactionCell } from "../../stores/events/transaction-sums.ts";
import { findSlowTimes, findTypicalTimes, sumCells, type Times } from "./transaction-cells.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const UNIT = { unitMs: HOUR_MS, limit: 5 };

interface Span {
  at: number;
  us: number;
}

function makeSpans(seed: number): Span[] {
  const random = createRandom(seed);
  return Array.from({ length: 200 }, () => ({
    at: NOON + Math.floor(random() * 48 * HOUR_MS),
    us: 1_000 + Math.floor(random() ** 4 * 9_000_000),
  }));
}

function toCells(spans: readonly Span[]): TransactionCell[] {
  const cells = new Map<string, TransactionCell>();
  for (const { at, us } of spans) {
    const bucket = Math.floor(Math.log(us) / Math.log(BUCKET_GROWTH));
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
    const key = `${hour} ${bucket}`;
    const cell = cells.get(key) ?? { at: hour, bucket, spans: 0, weight: 0, failedWeight: 0, totalUs: 0 };
    cells.set(key, { ...cell, spans: cell.spans + 1, weight: cell.weight + 2, totalUs: cell.totalUs + 2 * us });
  }
  return [...cells.values()];
}

function isIn(times: readonly Times[], { at }: Span): boolean {
  return times.some(({ from, to }) => at >= from && at < to);
}

test.each([1, 2, 3, 4, 5])("the times of the slowest have them, within the accuracy of histograms (%i)", (seed) => {
  const spans = makeSpans(seed);
  const { within, atLeastUs } = findSlowTimes(toCells(spans), UNIT);
  const found = spans.filter((span) => isIn(within, span) && span.us >= atLeastUs);
  expect(found.length).toBeGreaterThanOrEqual(5);
  expect(within.length).toBeLessThanOrEqual(5);
  const elsewhere = spans.filter((span) => !isIn(within, span)).map(({ us }) => us);
  expect(Math.max(...elsewhere)).toBeLessThanOrEqual(atLeastUs * BUCKET_GROWTH + 1);
});

test.each([1, 2, 3, 4, 5])("the times of the typical are the newest that have enough of them (%i)", (seed) => {
  const spans = makeSpans(seed);
  const cells = toCells(spans);
  const { within, atLeastUs, atMostUs } = findTypicalTimes(cells, UNIT);
  const isTypical = ({ us }: Span) => us >= atLeastUs && us <= atMostUs;
  const found = spans.filter((span) => isTypical(span) && isIn(within, span));
  expect(found.length).toBeGreaterThanOrEqual(5);
  expect(within.length).toBeLessThanOrEqual(5);
  const first = Math.min(...within.map(({ from }) => from));
  expect(spans.filter((span) => isTypical(span) && span.at >= first).every((span) => isIn(within, span))).toBe(true);
  const middle = quantileOf(sumCells(cells)?.durations ?? [], 0.5) ?? 0;
  expect(middle).toBeGreaterThanOrEqual(atLeastUs);
  expect(middle).toBeLessThanOrEqual(atMostUs);
});

test("where there are fewer than are wanted, all are slow", () => {
  const spans = makeSpans(1).slice(0, 3);
  const { within, atLeastUs } = findSlowTimes(toCells(spans), UNIT);
  expect(atLeastUs).toBe(0);
  expect(spans.every((span) => isIn(within, span))).toBe(true);
});

test("adds cells up, and knows that there are none", () => {
  const spans = makeSpans(2);
  const sum = sumCells(toCells(spans));
  expect(sum).toMatchObject({ spans: 200, weight: 400, totalUs: 2 * spans.reduce((total, { us }) => total + us, 0) });
  expect(sum?.durations.reduce((total, [, weight]) => total + weight, 0)).toBe(400);
  expect(sumCells([])).toBeUndefined();
  expect(findTypicalTimes([], UNIT)).toEqual({ within: [], atLeastUs: 0, atMostUs: 0 });
});

test.each([1, 2, 3])("the slowest of the hours of longer times are the slowest of all (%i)", (seed) => {
  const cells = toCells(makeSpans(seed));
  const longer = 6 * HOUR_MS;
  const merged = cells.map((cell) => ({ ...cell, at: Math.floor(cell.at / longer) * longer }));
  const { within, fromBucket } = findSlowTimes(merged, { unitMs: longer, limit: 5 });
  const isWithin = ({ at, bucket }: TransactionCell) =>
    bucket >= fromBucket && within.some(({ from, to }) => at >= from && at < to);
  const ofAll = findSlowTimes(cells, UNIT);
  expect(findSlowTimes(cells.filter(isWithin), UNIT).atLeastUs).toBe(ofAll.atLeastUs);
});
