import { expect, test } from "vitest";
import { readNewestFirst } from "./newest-first.ts";

test("reads each part of a time once, the newest first, and no more than is asked for", async () => {
  const asked: Array<[from: number, to: number]> = [];
  const parts = readNewestFirst({ from: 0, to: 2_560 }, async ({ from, to }) => {
    asked.push([from, to]);
    return asked.length;
  });
  for await (const part of parts) if (part === 2) break;
  expect(asked).toEqual([
    [2_550, 2_560],
    [2_520, 2_550],
  ]);
  const all = [];
  for await (const part of readNewestFirst({ from: 1_000, to: 1_016 }, async (times) => times)) all.push(part);
  expect(all).toEqual([
    { from: 1_015, to: 1_016 },
    { from: 1_012, to: 1_015 },
    { from: 1_000, to: 1_012 },
  ]);
});
