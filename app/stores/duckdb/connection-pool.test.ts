import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionPool } from "./connection-pool.ts";

// Those that still wait at the end of a test would be refused half a minute later, in another file that shares this process.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told to. Each line of `order` is somebody who got a connection. */
function openPool(size: number) {
  let now = 0;
  const pool = new ConnectionPool(
    Array.from({ length: size }, (_, index) => index),
    () => now,
  );
  const order: Array<string | null> = [];
  const ends: Array<() => void> = [];
  const ask = (asker: string | null) =>
    pool.use(async () => {
      order.push(asker);
      await new Promise<void>((end) => ends.push(end));
    }, asker);
  return {
    pool,
    order,
    ask,
    pass: (ms: number) => {
      now += ms;
    },
    /** Of the oldest that runs; gives what was begun since the start. */
    endOne: async () => {
      ends.shift()?.();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return order;
    },
  };
}

test("what the server wants goes first, and then who has used the least time", async () => {
  const { ask, endOne, order, pass } = openPool(1);
  for (const asker of ["ada", "ada", "ada", "bob", "ada", null]) void ask(asker);
  await Promise.resolve();
  expect(order).toEqual(["ada"]);
  pass(1_000);
  expect(await endOne()).toEqual(["ada", null]);
  pass(1_000);
  expect(await endOne()).toEqual(["ada", null, "bob"]);
  pass(100);
  expect(await endOne()).toEqual(["ada", null, "bob", "ada"]);
  void ask("bob");
  void ask("cleo");
  pass(1_000);
  expect((await endOne()).slice(4)).toEqual(["cleo"]);
  expect((await endOne()).slice(5)).toEqual(["bob"]);
});

test("who keeps more than one connection busy for long gets one, and the other is there for others at once", async () => {
  const { ask, endOne, order, pass, pool } = openPool(2);
  void ask("bob");
  await Promise.resolve();
  pass(1_000);
  await endOne();
  order.length = 0;
  for (let count = 0; count < 6; count++) void ask("ada");
  await Promise.resolve();
  expect(order).toEqual(["ada", "ada"]);
  pass(10_000);
  expect(await endOne()).toEqual(["ada", "ada", "ada"]);
  pass(12_000);
  expect(pool.isHeavyUser("ada")).toBe(true);
  expect(await endOne()).toEqual(["ada", "ada", "ada"]);
  void ask("bob");
  await Promise.resolve();
  expect(order).toEqual(["ada", "ada", "ada", "bob"]);
  // Her next one begins when hers ends.
  expect(await endOne()).toEqual(["ada", "ada", "ada", "bob", "ada"]);
});

test("who is alone keeps all connections busy, until somebody else comes", async () => {
  const { ask, endOne, order, pass } = openPool(2);
  for (let count = 0; count < 8; count++) void ask("ada");
  await Promise.resolve();
  for (let count = 0; count < 3; count++) {
    pass(20_000);
    await endOne();
  }
  expect(order).toEqual(["ada", "ada", "ada", "ada", "ada"]);
  void ask("bob");
  pass(1_000);
  expect((await endOne()).slice(5)).toEqual(["bob"]);
  pass(1_000);
  // Hers ends: the next one begins. His ends: it is left to him.
  expect((await endOne()).slice(6)).toEqual(["ada"]);
  expect((await endOne()).slice(7)).toEqual([]);
});

test("who keeps one connection busy is no heavy user", async () => {
  const { ask, pass, pool } = openPool(2);
  void ask("ada");
  await Promise.resolve();
  pass(10 * 60_000);
  expect(pool.isHeavyUser("ada")).toBe(false);
});

test("somebody may have 200 that wait, for half a minute each; the server waits for as long as it takes", async () => {
  const { ask, endOne, order } = openPool(1);
  void ask(null);
  const waiting = Array.from({ length: 200 }, () => ask("ada").catch((error: unknown) => error));
  const refused = { name: "ReadLimitError", limit: "turn" };
  await expect(ask("ada")).rejects.toMatchObject(refused);
  const bob = ask("bob");
  bob.catch(() => undefined);
  void ask(null);
  await vi.advanceTimersByTimeAsync(29_000);
  await endOne();
  expect(order).toEqual([null, null]);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(bob).rejects.toMatchObject(refused);
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 200 }, () => expect.objectContaining(refused)));
  void ask("ada");
  expect((await endOne()).slice(2)).toEqual(["ada"]);
});
