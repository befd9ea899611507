import { expect, test } from "vitest";
import { type SharedKeys, Turns } from "./turns.ts";

function open() {
  const turns = new Turns();
  const begun: string[] = [];
  /** Begins once it has its turn, and ends with `end`. */
  function start(name: string, ...keys: string[]) {
    return startWith(name, new Set(keys));
  }
  function startWith(name: string, keys: SharedKeys) {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const done = turns.run(keys, async () => {
      begun.push(name);
      await promise;
    });
    return {
      end: async () => {
        end();
        await done;
        await nextTurn();
      },
    };
  }
  return { turns, begun, start, startWith };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("tasks that share no key run beside each other", async () => {
  const { begun, start } = open();
  const tasks = [start("first", "a"), start("second", "b"), start("third")];
  await nextTurn();
  expect(begun).toEqual(["first", "second", "third"]);
  for (const each of tasks) await each.end();
});

test("a task waits for those before it that share one of its keys, and for no others", async () => {
  const { begun, start } = open();
  const first = start("first", "a", "b");
  const second = start("second", "b", "c");
  const third = start("third", "c");
  const fourth = start("fourth", "d");
  await nextTurn();
  expect(begun).toEqual(["first", "fourth"]);
  await first.end();
  expect(begun).toEqual(["first", "fourth", "second"]);
  await second.end();
  expect(begun).toEqual(["first", "fourth", "second", "third"]);
  for (const each of [third, fourth]) await each.end();
});

test("a task that shares everything waits for all before it, and all after it wait", async () => {
  const { begun, start, startWith } = open();
  const before = [start("first", "a"), start("second")];
  const alone = startWith("alone", "everything");
  const after = start("after");
  await nextTurn();
  expect(begun).toEqual(["first", "second"]);
  for (const each of before) await each.end();
  expect(begun).toEqual(["first", "second", "alone"]);
  await alone.end();
  expect(begun).toEqual(["first", "second", "alone", "after"]);
  await after.end();
});

test("a task that fails leaves the turn to the next", async () => {
  const { turns, begun, start } = open();
  const failing = turns.run(new Set("a"), () => Promise.reject(new Error("no disk")));
  const next = start("next", "a");
  await expect(failing).rejects.toThrow("no disk");
  await next.end();
  expect(begun).toEqual(["next"]);
});
