import { expect, test } from "vitest";
import { toNumberRanges } from "./number-ranges.ts";

const ones = (values: readonly number[]) => values.map((value) => [value, 1] as const);
const say = (values: ReadonlyArray<readonly [number, number]>) =>
  toNumberRanges(values).map(({ from, to, share }) => `${from ?? ""}..${to ?? ""} ${Math.round(share * 100)}`);

test("numbers of similar size are in ranges of equal width", () => {
  expect(say(ones(Array.from({ length: 100 }, (_, index) => index + 100)))).toEqual([
    "..120 20",
    "120..140 20",
    "140..160 20",
    "160..180 20",
    "180.. 20",
  ]);
});

test("numbers of very different size are in ranges that become wider", () => {
  expect(say(ones([3, 8, 15, 40, 90, 180, 700, 900, 1_500, 4_000]))).toEqual([
    "..5 10",
    "5..10 10",
    "10..50 20",
    "50..100 10",
    "100..500 10",
    "500..1000 20",
    "1000.. 20",
  ]);
  expect(say(ones([0, 0, 0.002, 0.4, 12, 800, 70_000]))).toEqual([
    "..0.01 43",
    "0.01..0.1 0",
    "0.1..1 14",
    "1..10 0",
    "10..100 14",
    "100..1000 14",
    "1000..10000 0",
    "10000.. 14",
  ]);
});

test("one odd number does not put all others into one range", () => {
  const usual = ones(Array.from({ length: 200 }, (_, index) => index / 10));
  const toBounds = (values: ReadonlyArray<readonly [number, number]>) => toNumberRanges(values).map(({ from }) => from);
  expect(toBounds([...usual, [1e300, 1], [-1e300, 1]])).toEqual(toBounds(usual));
});

test("negative numbers have ranges, too", () => {
  expect(say(ones([-4, -3, -2, -1, 0, 1, 2, 3]))).toEqual([
    "..-3 13",
    "-3..-2 13",
    "-2..-1 13",
    "-1..0 13",
    "0..1 13",
    "1..2 13",
    "2..3 13",
    "3.. 13",
  ]);
});

test("bounds are as they are written: no 0.30000000000000004", () => {
  for (const { from } of toNumberRanges(ones([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])))
    expect(String(from).length).toBeLessThan(5);
});

test("there are none of one number, of none, and of numbers that nobody can read", () => {
  expect([say([]), say([[7, 3]]), say(ones([0, 0, 0])), say(ones([1e-9, 2e-9, 3e-9]))]).toEqual([[], [], [], []]);
});

test("of whatever numbers, ranges follow each other and hold everything", () => {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 2_000; round++) {
    const values = Array.from({ length: 1 + Math.floor(random() * 20) }, () => {
      const size = 10 ** ((random() - 0.5) * (round % 40));
      return [
        random() < 0.3 ? Math.round(size) : (random() < 0.2 ? -1 : 1) * size,
        1 + Math.floor(random() * 9),
      ] as const;
    });
    const ranges = toNumberRanges(values);
    expect(ranges.length, JSON.stringify(values)).toBeLessThanOrEqual(8);
    if (ranges.length === 0) continue;
    expect(ranges.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    for (const [index, { from, to }] of ranges.entries()) {
      expect(from).toBe(ranges[index - 1]?.to ?? null);
      if (from !== null && to !== null) expect(from).toBeLessThan(to);
    }
  }
});
