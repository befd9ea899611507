import { expect, test } from "vitest";
import { freeBuffer, freeMemory } from "./free-memory.ts";

test("bytes that fill their buffer are freed, and so is every view of them", () => {
  const bytes = new Uint8Array(2_000).fill(1);
  const view = bytes.subarray(10, 20);
  freeMemory(bytes);
  expect(bytes.buffer.detached).toBe(true);
  expect([bytes.length, view.length]).toEqual([0, 0]);
});

test("bytes beside others in their buffer stay, and so do few", () => {
  const bytes = new Uint8Array(4_000).fill(1);
  freeMemory(bytes.subarray(0, 3_999));
  const few = Uint8Array.of(1, 2, 3);
  freeMemory(few);
  expect([bytes.length, few.length]).toEqual([4_000, 3]);
});

test("a buffer is freed once", () => {
  const { buffer } = new Uint8Array(2_000);
  freeBuffer(buffer);
  freeBuffer(buffer);
  expect(buffer.detached).toBe(true);
});
