import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const settled = async (promise: Promise<unknown>) => {
  const open = Symbol("open");
  return (await Promise.race([promise, new Promise((wake) => setTimeout(wake, 5, open))])) !== open;
};

test("so many work at once, the next one when one is done, in the order they came", async () => {
  const turns = createTurns({ atOnce: 2, maxWaiting: 10, maxWaitMs: 60_000 });
  const [first, second] = [await turns.take(), await turns.take()];
  const third = turns.take();
  const fourth = turns.take();
  expect(await settled(third)).toBe(false);
  first?.();
  first?.();
  expect(await settled(third)).toBe(true);
  expect(await settled(fourth)).toBe(false);
  second?.();
  expect(await fourth).not.toBeNull();
});

test("nobody waits when too many do, too long, or after they have gone", async () => {
  const turns = createTurns({ atOnce: 1, maxWaiting: 1, maxWaitMs: 20 });
  const first = await turns.take();
  const leaving = new AbortController();
  const second = turns.take(leaving.signal);
  expect(await turns.take()).toBeNull();
  leaving.abort();
  expect(await second).toBeNull();
  expect(await turns.take()).toBeNull();
  first?.();
  expect(await turns.take()).not.toBeNull();
  expect(await turns.take(AbortSignal.abort())).toBeNull();
});
