import { expect, test } from "vitest";
import { apdexOf } from "./apdex.ts";
import { BUCKET_GROWTH } from "./duration-histogram.ts";

const bucketOf = (ms: number) => Math.floor(Math.log(ms * 1000) / Math.log(BUCKET_GROWTH));

test("those within the threshold count whole, those within four times of it half", () => {
  const durations = [
    [bucketOf(100), 5],
    [bucketOf(900), 2],
    [bucketOf(5_000), 3],
  ] as const;
  expect(apdexOf(durations, 300)).toBeCloseTo(0.6);
  expect(apdexOf(durations, 50)).toBeCloseTo(0.25);
  expect(apdexOf([], 300)).toBeNull();
});

test("the bucket of the threshold counts by its part below, so an even spread has the Apdex of its durations", () => {
  const durations = Array.from({ length: 1_000 }, (_, at) => 200 + at / 5);
  const histogram = durations.map((ms) => [bucketOf(ms), 1] as const);
  for (const threshold of [250, 285, 300, 310]) {
    const satisfied = durations.filter((ms) => ms <= threshold).length / durations.length;
    expect(apdexOf(histogram, threshold)).toBeCloseTo((satisfied + 1) / 2, 2);
  }
});
