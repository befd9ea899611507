import { expect, test } from "vitest";
import { CommitTurns } from "./commit-turns.ts";

function open() {
  const clock = { now: 0 };
  const turns = new CommitTurns(() => clock.now);
  const begun: string[] = [];
  /** Begins once it has its turn, and ends with `end`. */
  function commit(name: string, rank: number) {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const done = turns.run(rank, async () => {
      begun.push(name);
      await promise;
    });
    return {
      end: async () => {
        end();
        await done;
        await Promise.resolve();
      },
    };
  }
  return { clock, turns, begun, commit };
}

test("one commit follows the other, those of the lowest rank first", async () => {
  const { begun, commit } = open();
  const first = commit("bulk 1", 1);
  const second = commit("bulk 2", 1);
  const third = commit("error 1", 0);
  const fourth = commit("error 2", 0);
  expect(begun).toEqual(["bulk 1"]);
  for (const each of [first, third, fourth, second]) await each.end();
  expect(begun).toEqual(["bulk 1", "error 1", "error 2", "bulk 2"]);
});

test("who has waited for a second goes first, whatever its rank", async () => {
  const { clock, begun, commit } = open();
  const errors = [commit("error 1", 0)];
  const bulk = commit("bulk", 1);
  for (let at = 2; at <= 4; at++) {
    clock.now += 400;
    errors.push(commit(`error ${at}`, 0));
    await errors[at - 2]?.end();
  }
  expect(begun).toEqual(["error 1", "error 2", "error 3", "bulk"]);
  await bulk.end();
  expect(begun.at(-1)).toBe("error 4");
});

test("a commit that fails leaves the turn to the next", async () => {
  const { turns, begun, commit } = open();
  await expect(turns.run(0, () => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk");
  await commit("error", 0).end();
  expect(begun).toEqual(["error"]);
});
