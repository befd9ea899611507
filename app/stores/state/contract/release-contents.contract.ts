import { expect, test } from "vitest";
import type { Commit } from "../../../domain/release.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

function commit(id: string, change: Partial<Commit> = {}): Commit {
  return {
    id,
    repository: "acme/web",
    authorName: "Ada",
    authorEmail: "ada@example.com",
    at: NOON,
    message: `message of ${id}`,
    files: null,
    ...change,
  };
}

function touching(id: string, ...paths: string[]): Commit {
  return commit(id, { files: paths.map((path) => ({ path, change: "M" })) });
}

async function saveRelease(store: State, version: string, at = NOON): Promise<void> {
  await store.releases.saveRelease(EVERYTHING, { version, projectIds: [1], at });
}

export function describeReleaseContents(createDatabase: CreateStateDatabase): void {
  test("commits are given as they were set, newest first, and replaced as a whole", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "web@1");
    const commits = [
      commit("b", {
        files: [
          { path: "z.ts", change: "A" },
          { path: "a.ts", change: "D" },
        ],
        authorName: "Grace",
        authorEmail: "grace@example.com",
        at: NOON + 0.5,
      }),
      commit("a", { files: [], authorName: null, authorEmail: null }),
      commit("c"),
      commit("d", { authorName: "Ada L.", authorEmail: "ADA@example.com" }),
    ];
    await store.releases.setCommits(EVERYTHING, "web@1", commits);
    expect(await store.releases.listCommits(EVERYTHING, "web@1", { limit: 10 })).toEqual([
      { ...commits[0], at: NOON },
      ...commits.slice(1),
    ]);
    expect(await store.releases.listCommits(EVERYTHING, "web@1", { limit: 1 })).toHaveLength(1);
    expect(await store.releases.getRelease(EVERYTHING, "web@1")).toMatchObject({
      commitCount: 4,
      lastCommitId: "b",
      authors: [
        { name: "Ada", email: "ada@example.com" },
        { name: "Grace", email: "grace@example.com" },
      ],
    });
    await store.releases.setCommits(EVERYTHING, "web@1", [commit("e")]);
    expect((await store.releases.listCommits(EVERYTHING, "web@1", { limit: 10 })).map(({ id }) => id)).toEqual(["e"]);
    await store.releases.setCommits(EVERYTHING, "web@1", []);
    expect(await store.releases.listCommits(EVERYTHING, "web@1", { limit: 10 })).toEqual([]);
    expect(await store.releases.getRelease(EVERYTHING, "web@1")).toMatchObject({
      commitCount: 0,
      lastCommitId: null,
      authors: [],
    });
    await expect(store.releases.setCommits(EVERYTHING, "nobody", [])).rejects.toThrow(RangeError);
    expect(await store.releases.listCommits(EVERYTHING, "nobody", { limit: 10 })).toEqual([]);
  });

  test("commits are found by the paths that they changed, in the release and those before it", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    await saveRelease(store, "1.1");
    await saveRelease(store, "1.2");
    await store.releases.setCommits(EVERYTHING, "1.0", [touching("old", "packages/web/app/cart.ts")]);
    await store.releases.setCommits(EVERYTHING, "1.1", [
      { ...touching("both", "app/cart.ts", "app/user.ts"), at: NOON + 2 },
      touching("alike", "app/smart-cart.ts", "other/cart.ts"),
      touching("lone", "index.js"),
    ]);
    await store.releases.setCommits(EVERYTHING, "1.2", [touching("later", "app/cart.ts")]);
    const find = async (...paths: string[]) =>
      (await store.releases.findCommitsByPath(EVERYTHING, "1.1", paths)).map(
        ({ id, path, askedPath }) => `${id} ${path} ${askedPath}`,
      );
    expect(await find("app/cart.ts")).toEqual([
      "both app/cart.ts app/cart.ts",
      "old packages/web/app/cart.ts app/cart.ts",
    ]);
    expect(await find("/srv/shop/app/user.ts", "./app/cart.ts")).toEqual([
      "both app/cart.ts ./app/cart.ts",
      "both app/user.ts /srv/shop/app/user.ts",
      "old packages/web/app/cart.ts ./app/cart.ts",
    ]);
    expect(await find("lib/index.js")).toEqual([]);
    expect(await find("index.js")).toEqual(["lone index.js index.js"]);
    expect(await find("smart-cart.ts")).toEqual(["alike app/smart-cart.ts smart-cart.ts"]);
    expect(await find()).toEqual([]);
    expect(await find("", "/")).toEqual([]);
    expect(await store.releases.findCommitsByPath(EVERYTHING, "nobody", ["app/cart.ts"])).toEqual([]);
  });

  test("of many commits and files, those of the newest are kept", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    const paths = Array.from({ length: 1_200 }, (_, index) => `app/${index}.ts`);
    await store.releases.setCommits(
      EVERYTHING,
      "1.0",
      Array.from({ length: 10_005 }, (_, index) =>
        index < 60 ? touching(`c${index}`, ...paths) : commit(`c${index}`),
      ),
    );
    const kept = await store.releases.listCommits(EVERYTHING, "1.0", { limit: 1_000 });
    expect(kept).toHaveLength(1_000);
    expect([0, 49, 50, 60].map((position) => kept[position]?.files?.length)).toEqual([1_000, 1_000, 0, undefined]);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({
      commitCount: 10_000,
      lastCommitId: "c0",
    });
  });

  test("deploys are listed newest first, and between two instants oldest first", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "web@1");
    await store.releases.saveRelease(EVERYTHING, { version: "api@1", projectIds: [2], at: NOON });
    const deploy = (environment: string, finishedAt: number) => ({
      projectIds: null,
      environment,
      name: null,
      url: null,
      startedAt: null,
      finishedAt,
    });
    const late = await store.releases.addDeploy(EVERYTHING, "web@1", deploy("production", NOON + HOUR_MS));
    const early = await store.releases.addDeploy(EVERYTHING, "web@1", {
      ...deploy("staging", NOON),
      name: "n",
      url: "u",
      startedAt: NOON - 5,
    });
    const other = await store.releases.addDeploy(EVERYTHING, "api@1", deploy("production", NOON + 1));
    expect(early).toEqual({
      id: expect.any(Number),
      projectIds: null,
      environment: "staging",
      name: "n",
      url: "u",
      startedAt: NOON - 5,
      finishedAt: NOON,
    });
    expect(await store.releases.listDeploys(EVERYTHING, "web@1")).toEqual([late, early]);
    expect(await store.releases.listDeploys(EVERYTHING, "nobody")).toEqual([]);
    expect(await store.releases.getRelease(EVERYTHING, "web@1")).toMatchObject({ deployCount: 2, lastDeploy: late });
    expect(await store.releases.listDeploysBetween(EVERYTHING, NOON, NOON + HOUR_MS)).toEqual([
      { ...early, version: "web@1" },
      { ...other, version: "api@1" },
    ]);
    expect(await store.releases.listDeploysBetween(scopeOf(2), NOON, NOON + HOUR_MS + 1)).toEqual([
      { ...other, version: "api@1" },
    ]);
    expect(await store.releases.listDeploysBetween(scopeOf(), NOON, NOON + HOUR_MS)).toEqual([]);
    await expect(store.releases.addDeploy(EVERYTHING, "nobody", deploy("x", NOON))).rejects.toThrow(RangeError);
  });

  test("a deploy of some of the release's projects is no deploy of the others", async () => {
    await using store = await openStore(createDatabase);
    await store.releases.saveRelease(EVERYTHING, { version: "abc", projectIds: [1, 2, 3], at: NOON });
    const deploy = { environment: "production", name: null, url: null, startedAt: null };
    const all = await store.releases.addDeploy(EVERYTHING, "abc", { ...deploy, projectIds: null, finishedAt: NOON });
    const some = await store.releases.addDeploy(EVERYTHING, "abc", {
      ...deploy,
      projectIds: [2, 3],
      finishedAt: NOON + 1,
    });
    expect(some.projectIds).toEqual([2, 3]);
    expect(await store.releases.listDeploys(EVERYTHING, "abc")).toEqual([some, all]);
    expect((await store.releases.getRelease(EVERYTHING, "abc"))?.lastDeploy).toEqual(some);
    const idsOf = async (...projectIds: number[]) =>
      (await store.releases.listDeploysBetween(scopeOf(...projectIds), NOON, NOON + 2)).map(({ id }) => id);
    expect(await idsOf(1)).toEqual([all.id]);
    expect(await idsOf(3)).toEqual([all.id, some.id]);
    expect(await idsOf(1, 2)).toEqual([all.id, some.id]);
    expect(await idsOf(4)).toEqual([]);
    expect(await idsOf(1, 2, 3)).toEqual([all.id, some.id]);
  });

  test("commits, files and deploys go with their release", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "web@1");
    await store.releases.setCommits(EVERYTHING, "web@1", [touching("a", "app/a.ts")]);
    await store.releases.addDeploy(EVERYTHING, "web@1", {
      projectIds: null,
      environment: "e",
      name: null,
      url: null,
      startedAt: null,
      finishedAt: NOON,
    });
    expect(await store.releases.deleteRelease(EVERYTHING, "web@1")).toBe("deleted");
    expect(await store.releases.listDeploysBetween(EVERYTHING, 0, NOON + 1)).toEqual([]);
    await saveRelease(store, "web@1");
    expect(await store.releases.listCommits(EVERYTHING, "web@1", { limit: 10 })).toEqual([]);
  });
}
