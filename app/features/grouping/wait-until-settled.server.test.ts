import { expect, test, vi } from "vitest";
import { askUntil } from "./wait-until-settled.server.ts";

test("asks until an answer is enough, and gives the last one when the time is over", async () => {
  const ask = vi.fn(async () => ask.mock.calls.length);
  expect(await askUntil(ask, { isEnough: (nth) => nth === 2, maxMs: 10_000 })).toBe(2);
  ask.mockClear();
  expect(await askUntil(ask, { isEnough: () => false, maxMs: 100 })).toBe(2);
});
