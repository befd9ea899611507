import { expect, test } from "vitest";
import { CommitTurns } from "./commit-turns.ts";

function open() {
  const turns = new CommitTurns();
  const begun: string[] = [];
  /** Begins once it has its turn, and ends with `end`. */
  function commit(name: string, ...identities: Array<string | null>) {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const items = identities.map((identity) => ({ projectId: 1, identity }));
    const done = turns.run(items, async () => {
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
  return { turns, begun, commit };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("commits that have no identity in common happen beside each other", async () => {
  const { begun, commit } = open();
  const commits = [commit("bulk", "a", null), commit("error", "b", null), commit("spans", null)];
  await nextTurn();
  expect(begun).toEqual(["bulk", "error", "spans"]);
  for (const each of commits) await each.end();
});

test("a commit waits for those before it that have one of its identities, and for no others", async () => {
  const { begun, commit } = open();
  const first = commit("first", "a", "b");
  const second = commit("second", "b", "c");
  const third = commit("third", "c");
  const fourth = commit("fourth", "d");
  await nextTurn();
  expect(begun).toEqual(["first", "fourth"]);
  await first.end();
  expect(begun).toEqual(["first", "fourth", "second"]);
  await second.end();
  expect(begun).toEqual(["first", "fourth", "second", "third"]);
  for (const each of [third, fourth]) await each.end();
});

test("the same identity in two projects is two", async () => {
  const { turns } = open();
  const end = Promise.withResolvers<void>();
  const first = turns.run([{ projectId: 1, identity: "a" }], () => end.promise);
  await turns.run([{ projectId: 2, identity: "a" }], async () => undefined);
  end.resolve();
  await first;
});

test("a commit that fails leaves the turn to the next", async () => {
  const { turns, begun, commit } = open();
  const failing = turns.run([{ projectId: 1, identity: "a" }], () => Promise.reject(new Error("no disk")));
  const next = commit("next", "a");
  await expect(failing).rejects.toThrow("no disk");
  await next.end();
  expect(begun).toEqual(["next"]);
});
