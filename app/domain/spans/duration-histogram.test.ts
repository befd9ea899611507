import { expect, test } from "vitest";
import { BUCKET_GROWTH, EMPTY_BUCKET, middleOf, quantileOf } from "./duration-histogram.ts";

const bucketOf = (us: number) => (us < 1 ? EMPTY_BUCKET : Math.floor(Math.log(us) / Math.log(BUCKET_GROWTH)));

test("the middle of a bucket is less than 3 % off, from a microsecond to a day", () => {
  for (let us = 1; us < 86_400e6; us *= 1.0007) expect(Math.abs(middleOf(bucketOf(us)) - us) / us).toBeLessThan(0.03);
  expect(middleOf(bucketOf(0))).toBe(0);
});

test("quantiles follow the weights, however the histogram was put together", () => {
  const histogram = [1, 10, 100, 1_000].map((us): [number, number] => [bucketOf(us), us === 1_000 ? 97 : 1]);
  expect(quantileOf(histogram, 0.5)).toBe(middleOf(bucketOf(1_000)));
  expect(quantileOf([...histogram].reverse(), 0.01)).toBe(middleOf(bucketOf(1)));
  expect(quantileOf(histogram, 0.03)).toBe(middleOf(bucketOf(100)));
  expect(quantileOf(histogram, 1)).toBe(middleOf(bucketOf(1_000)));
  expect(quantileOf([], 0.5)).toBeNull();
});
