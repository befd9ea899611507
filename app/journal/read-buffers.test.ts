import { expect, test } from "vitest";
import { MIB } from "../domain/bytes.ts";
import { ReadBuffers } from "./read-buffers.ts";

test("a large buffer is used again once it was given back", () => {
  const buffers = new ReadBuffers(8 * MIB);
  const first = buffers.take(2 * MIB);
  const { buffer } = first;
  expect(buffers.take(2 * MIB).buffer).not.toBe(buffer);
  buffers.give([first.subarray(0, MIB), first.subarray(MIB)]);
  expect(buffers.take(3 * MIB).buffer).toBe(buffer);
});

test("what is not kept is freed: a short buffer, and the spare ones of a reader that has caught up", () => {
  const buffers = new ReadBuffers(8 * MIB);
  const large = buffers.take(2 * MIB);
  buffers.give([large]);
  const short = buffers.take(10_000);
  const view = short.subarray(100, 200);
  buffers.give([view]);
  expect([large.length, short.length, view.length]).toEqual([0, 0, 0]);
});

test("three spare buffers are kept, and more are freed", () => {
  const buffers = new ReadBuffers(8 * MIB);
  const taken = Array.from({ length: 4 }, () => buffers.take(2 * MIB));
  for (const each of taken) buffers.give([each]);
  expect(taken.map(({ length }) => length / MIB)).toEqual([2, 2, 2, 0]);
});
