import { decode, encode } from "@msgpack/msgpack";
import { expect, test } from "vitest";
import { isModestMessagePack } from "./is-modest-message-pack.ts";

const KINDS = [null, true, false, 1, -1, 200, -100, 70_000, -70_000, 2 ** 40, -(2 ** 40), 0.5, "", "a".repeat(40)];

test("reads every kind of value that JSON has, also one after the other", () => {
  const long = { text: "b".repeat(300), longer: "c".repeat(70_000), list: Array(70_000 / 4).fill(0), few: KINDS };
  const wide = Object.fromEntries(KINDS.map((_, index) => [`key${index}`, {}]));
  const value = { ...wide, long, many: Array.from({ length: 20 }, () => KINDS), empty: [[], {}] };
  const bytes = encode(value);
  expect(decode(bytes)).toEqual(value);
  expect(isModestMessagePack(bytes)).toBe(true);
  expect(isModestMessagePack(Buffer.concat(Array(50).fill(encode({ message: "one" }))))).toBe(true);
  // A part that is inside two hundred others one after the other is not deep.
  expect(isModestMessagePack(encode(Array.from({ length: 200 }, () => [[1], { a: [] }])))).toBe(true);
});

test.each([
  ["many values", encode({ a: Array(50_000).fill(0) })],
  ["many empty objects", Buffer.alloc(1024 * 1024, 0x80)],
  ["lists in lists", Buffer.alloc(101, 0x91)],
  ["objects in objects", Buffer.alloc(1_000, Buffer.of(0x81, 0xa1, 0x61))],
  ["bytes", encode({ a: Uint8Array.of(1) })],
  ["a type of its own", encode({ at: new Date(0) })],
  ["a kind that does not exist", Buffer.of(0xc1)],
  ["a length that is cut", Buffer.of(0xdb, 0)],
  ["a list that lacks its values", Buffer.of(0xdd, 1, 0, 0, 0)],
])("false for %s", (_, bytes) => {
  expect(isModestMessagePack(bytes)).toBe(false);
});
