import { expect, test } from "vitest";
import { toDurationHeatmap, toShade } from "./duration-heatmap.ts";
import { BUCKET_GROWTH, type DurationHistogram, EMPTY_BUCKET } from "./duration-histogram.ts";

/** As the store makes it. */
const histogram = (...durations: number[]): DurationHistogram =>
  durations.map((us) => [us < 1 ? EMPTY_BUCKET : Math.floor(Math.log(us) / Math.log(BUCKET_GROWTH)), 1]);

test("each span is in the row whose bounds its duration is within", () => {
  const durations = [0, 1, 40, 999, 1_000, 12_345, 600_000, 9_000_000];
  const { rows, weights, most } = toDurationHeatmap([
    histogram(...durations.slice(0, 4)),
    [],
    histogram(...durations.slice(4)),
  ]);
  expect(rows.length).toBeLessThanOrEqual(26);
  expect(rows.every(({ toUs }, index) => index + 1 === rows.length || rows[index + 1]?.fromUs === toUs)).toBe(true);
  for (const [index, us] of durations.entries()) {
    const row = rows.findIndex(({ fromUs, toUs }) => us >= fromUs && us < toUs);
    expect(weights[row]?.[index < 4 ? 0 : 2], `${us}`).toBeGreaterThan(0);
  }
  expect(weights.flat().reduce((sum, weight) => sum + weight)).toBe(durations.length);
  expect(weights.every((row) => row[1] === 0)).toBe(true);
  expect(most).toBeGreaterThan(0);
});

test("one duration is one row, and no span none", () => {
  expect(toDurationHeatmap([histogram(500, 500)])).toMatchObject({ weights: [[2]], most: 2 });
  expect(toDurationHeatmap([[], []])).toEqual({ rows: [], weights: [], most: 0 });
});

test("the most has the last shade, and one of a thousand the first", () => {
  expect([1, 30, 200, 1_000].map((weight) => toShade(weight, 1_000))).toEqual([0, 0, 2, 5]);
});
