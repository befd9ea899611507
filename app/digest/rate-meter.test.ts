import { expect, test } from "vitest";
import { createRateMeter } from "./rate-meter.ts";

test("is an average over the last minute, or since the first count", () => {
  let now = 1_000_000;
  const meter = createRateMeter(() => now);
  expect(meter.perSecond()).toBe(0);
  meter.add(100);
  expect(meter.perSecond()).toBe(100);
  now += 9_000;
  meter.add(100);
  expect(meter.perSecond()).toBe(20);
  now += 55_000;
  expect(meter.perSecond()).toBeCloseTo(100 / 60);
  now += 60_000;
  expect(meter.perSecond()).toBe(0);
});
