import { expect, test } from "vitest";
import { measureJson } from "./measure-json.ts";

test.each([
  [null],
  [true],
  [-0],
  [1.5e-7],
  [1e21],
  [""],
  ['a"b\\c/\u007f\u2028é😀'],
  [Array.from({ length: 0x30 }, (_, code) => String.fromCharCode(code)).join("")],
  [[]],
  [{}],
  [[[], {}, [null, "\n", 5]]],
  [{ 'k"\u0001': { a: [1, { b: "" }] }, "": false }],
])("counts what JSON has: %j", (value) => {
  expect(measureJson(value, 1_000)).toBe(JSON.stringify(value).length);
});

test("counting ends beyond the limit", () => {
  const read: number[] = [];
  const list = Array.from({ length: 100 }, (_, index) => ({
    get text() {
      read.push(index);
      return "\u0001".repeat(10);
    },
  }));
  expect(measureJson(list, 100)).toBeGreaterThan(100);
  expect(read).toEqual([0, 1]);
  expect(measureJson("\u0001".repeat(1_000), 1_200)).toBeLessThan(1_300);
});
