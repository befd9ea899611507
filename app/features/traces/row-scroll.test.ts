import { expect, test } from "vitest";
import { MAX_ROWS_PX, scaleScroll } from "./row-scroll.ts";

test("rows that fit into a box scroll by pixels", () => {
  const { toOffset, toScrollTop } = scaleScroll({ count: 100_000, height: 26 }, 500);
  expect([toOffset(12_345), toScrollTop(12_345)]).toEqual([12_345, 12_345]);
});

test.each([26, 44])("a million rows of %d px are reached from the first to the last", (height) => {
  const { toOffset, toScrollTop } = scaleScroll({ count: 1_000_000, height }, 500);
  expect(toOffset(0)).toBe(0);
  expect(toOffset(MAX_ROWS_PX - 500)).toBeCloseTo(1_000_000 * height - 500);
  expect(toOffset(toScrollTop(500_000 * height))).toBeCloseTo(500_000 * height);
});
