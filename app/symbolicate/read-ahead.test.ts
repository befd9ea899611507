import { expect, test } from "vitest";
import { readAhead } from "./read-ahead.ts";

test("small reads that follow each other are one read of the file, and give what is there", async () => {
  const file = Buffer.from("0123456789abcdefghij");
  const asked: Array<[offset: number, length: number]> = [];
  const reader = readAhead(
    {
      bytes: file.length,
      async read(offset, length) {
        asked.push([offset, length]);
        return file.subarray(offset, offset + length);
      },
      close: async () => {},
    },
    8,
  );
  const text = async (offset: number, length: number) => Buffer.from(await reader.read(offset, length)).toString();
  expect([await text(0, 3), await text(3, 5), await text(1, 2)]).toEqual(["012", "34567", "12"]);
  expect(asked).toEqual([[0, 8]]);
  // Beyond the piece, larger than a piece, back again, at the end and behind it.
  expect([await text(7, 2), await text(2, 12), await text(9, 3)]).toEqual(["78", "23456789abcd", "9ab"]);
  expect([await text(18, 5), await text(20, 4), await text(4, 0)]).toEqual(["ij", "", ""]);
  expect(asked.slice(0, 3)).toEqual([
    [0, 8],
    [7, 8],
    [2, 12],
  ]);
});
