import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

const settled = async (promise: Promise<unknown>) => {
  const open = Symbol("open");
  return (await Promise.race([promise, new Promise((wake) => setTimeout(wake, 5, open))])) !== open;
};

test("so many work at once, the next one when one is done, in the order they came", async () => {
  const limit = createConcurrencyLimit({ atOnce: 2, maxWaiting: 10, maxWaitMs: 60_000 });
  const [first, second] = [await limit.enter(), await limit.enter()];
  const third = limit.enter();
  const fourth = limit.enter();
  expect(await settled(third)).toBe(false);
  first?.();
  first?.();
  expect(await settled(third)).toBe(true);
  expect(await settled(fourth)).toBe(false);
  second?.();
  expect(await fourth).not.toBeNull();
});

test("nobody waits when too many do, too long, or after they have gone", async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: 1, maxWaitMs: 20 });
  const first = await limit.enter();
  const leaving = new AbortController();
  const second = limit.enter(leaving.signal);
  expect(await limit.enter()).toBeNull();
  leaving.abort();
  expect(await second).toBeNull();
  expect(await limit.enter()).toBeNull();
  first?.();
  expect(await limit.enter()).not.toBeNull();
  expect(await limit.enter(AbortSignal.abort())).toBeNull();
});
