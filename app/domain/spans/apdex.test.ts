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
