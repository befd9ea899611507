import { expect, test } from "vitest";
import type { Scope } from "../../../domain/scope.ts";
import type { CompareSign } from "../../../domain/search/search-tree.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, openStore, scopeOf } from "./fixture.ts";

/** Made one after the other, a millisecond each. */
async function saveAll(store: State, versions: string[], projectIds = [1]): Promise<void> {
  for (const [index, version] of versions.entries())
    await store.releases.saveRelease(EVERYTHING, { version, projectIds, at: NOON + index });
}

type Query = Partial<Parameters<State["releases"]["listReleases"]>[1]> & { scope?: Scope };

async function versionsOf(store: State, { scope = EVERYTHING, ...query }: Query = {}): Promise<string[]> {
  const page = await store.releases.listReleases(scope, {
    sort: "date",
    cursor: null,
    limit: 100,
    ...query,
  });
  return page.releases.map(({ version }) => version);
}

export function describeReleases(createDatabase: CreateStateDatabase): void {
  test("a release is made once, and then added to", async () => {
    await using store = await openStore(createDatabase);
    const made = await store.releases.saveRelease(EVERYTHING, {
      version: " web@1.0 ",
      projectIds: [2, 1],
      at: NOON,
      url: "https://example.com",
    });
    const noEvents = { firstEventAt: null, lastEventAt: null, eventCount: 0, newIssueCount: 0 };
    expect(made).toEqual({
      isNew: true,
      release: {
        id: expect.any(Number),
        version: "web@1.0",
        status: "open",
        ref: null,
        url: "https://example.com",
        createdAt: NOON,
        startedAt: null,
        releasedAt: null,
        projects: [
          { projectId: 1, ...noEvents },
          { projectId: 2, ...noEvents },
        ],
        commitCount: 0,
        deployCount: 0,
        lastCommitId: null,
        heads: [],
        lastDeploy: null,
        authors: [],
      },
    });
    const again = await store.releases.saveRelease(EVERYTHING, {
      version: "web@1.0",
      projectIds: [],
      at: NOON + 5,
      ref: "main",
      status: "archived",
      releasedAt: NOON + 7.5,
    });
    expect(again).toEqual({
      isNew: false,
      release: { ...made.release, ref: "main", status: "archived", releasedAt: NOON + 7 },
    });
    const cleared = await store.releases.saveRelease(EVERYTHING, {
      version: "web@1.0",
      projectIds: [3],
      at: NOON,
      url: null,
      startedAt: NOON,
    });
    expect(cleared.release).toMatchObject({ url: null, ref: "main", startedAt: NOON, releasedAt: NOON + 7 });
    expect(cleared.release.projects.map(({ projectId }) => projectId)).toEqual([1, 2, 3]);
    expect(await store.releases.getRelease(EVERYTHING, "web@1.0")).toEqual(cleared.release);
    expect(await store.releases.getRelease(EVERYTHING, "web@2.0")).toBeNull();
  });

  test("what may not name a release makes none", async () => {
    await using store = await openStore(createDatabase);
    await expect(store.releases.saveRelease(EVERYTHING, { version: "a/b", projectIds: [1], at: NOON })).rejects.toThrow(
      RangeError,
    );
    await expect(
      store.releases.saveRelease(EVERYTHING, { version: "latest", projectIds: [1], at: NOON }),
    ).rejects.toThrow(RangeError);
    expect(await versionsOf(store)).toEqual([]);
  });

  test("releases are listed by date, or by version with those that are none after them", async () => {
    await using store = await openStore(createDatabase);
    await saveAll(store, ["1.10", "main", "1.9", "1.10-rc.1", "other"]);
    await store.releases.saveRelease(EVERYTHING, {
      version: "1.9",
      projectIds: [],
      at: NOON,
      releasedAt: NOON + DAY_MS,
    });
    expect(await versionsOf(store)).toEqual(["1.9", "other", "1.10-rc.1", "main", "1.10"]);
    expect(await versionsOf(store, { sort: "semver" })).toEqual(["1.10", "1.10-rc.1", "1.9", "other", "main"]);
  });

  test("a list is narrowed by project, status and text", async () => {
    await using store = await openStore(createDatabase);
    await saveAll(store, ["Web@1", "web@2"], [1]);
    await saveAll(store, ["api@1"], [2, 3]);
    await store.releases.saveRelease(EVERYTHING, { version: "web@2", projectIds: [2], at: NOON, status: "archived" });
    expect(await versionsOf(store, { scope: scopeOf(1) })).toEqual(["web@2", "Web@1"]);
    expect(await versionsOf(store, { scope: scopeOf(2, 3) })).toEqual(["web@2", "api@1"]);
    expect(await versionsOf(store, { scope: scopeOf() })).toEqual([]);
    expect(await versionsOf(store, { status: "open" })).toEqual(["api@1", "Web@1"]);
    expect(await versionsOf(store, { text: "WEB" })).toEqual(["web@2", "Web@1"]);
    expect(await versionsOf(store, { text: "%" })).toEqual([]);
    const [listed] = (await store.releases.listReleases(scopeOf(2), { sort: "date", cursor: null, limit: 1 })).releases;
    expect(listed?.projects.map(({ projectId }) => projectId)).toEqual([2]);
  });

  test.each(["date", "semver"] as const)("pages by %s go forth and back, and neither repeat nor skip", async (sort) => {
    await using store = await openStore(createDatabase);
    const versions = ["1.0", "a", "1.1", "b", "1.2-x", "c", "1.2"];
    await saveAll(store, versions);
    const expected = await versionsOf(store, { sort });
    expect([...expected].sort()).toEqual([...versions].sort());
    const forth: string[][] = [];
    const backCursors: Array<string | null> = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<State["releases"]["listReleases"]>> = await store.releases.listReleases(
        scopeOf(1),
        {
          sort,
          cursor,
          limit: 3,
        },
      );
      forth.push(page.releases.map(({ version }) => version));
      backCursors.push(page.previousCursor);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(forth.flat()).toEqual(expected);
    expect(backCursors[0]).toBeNull();
    expect(await versionsOf(store, { scope: scopeOf(1), sort, cursor: backCursors[2] ?? "", limit: 3 })).toEqual(
      forth[1],
    );
    expect(await versionsOf(store, { sort, cursor: "nonsense" })).toEqual(expected);
  });

  test("a release without events can be deleted, and one with events cannot", async () => {
    await using store = await openStore(createDatabase);
    await saveAll(store, ["web@1"]);
    await apply(store, [occurrence(0, "a", { release: "web@2" })]);
    expect(await store.releases.deleteRelease(EVERYTHING, "web@1")).toBe("deleted");
    expect(await store.releases.deleteRelease(EVERYTHING, "web@1")).toBe("not-found");
    expect(await store.releases.deleteRelease(EVERYTHING, "web@2")).toBe("has-events");
    expect(await versionsOf(store)).toEqual(["web@2"]);
  });

  test("the one before a version is the next lower of its package in its projects, else it is the one before by date", async () => {
    await using store = await openStore(createDatabase);
    await saveAll(store, ["web@1.1", "main", "web@1.0", "api@1.2", "abc", "web@1.2"]);
    await saveAll(store, ["web@1.15"], [2]);
    const before = async (version: string, options?: { withCommits?: boolean }) =>
      (await store.releases.getPreviousRelease(EVERYTHING, version, options))?.version ?? null;
    expect(await before("web@1.2")).toBe("web@1.1");
    expect(await before("web@1.1")).toBe("web@1.0");
    expect(await before("web@1.0")).toBeNull();
    expect(await before("abc")).toBe("api@1.2");
    expect(await before("main")).toBe("web@1.1");
    expect(await before("nobody")).toBeNull();
    expect(await before("web@1.2", { withCommits: true })).toBeNull();
    await store.releases.setCommits(EVERYTHING, "web@1.0", [
      { id: "c", repository: "r", authorName: null, authorEmail: null, at: NOON, message: "", files: null },
    ]);
    expect(await before("web@1.2", { withCommits: true })).toBe("web@1.0");
  });

  test("the one after a version is the next higher of its package in its projects, else it is the one after by date", async () => {
    await using store = await openStore(createDatabase);
    await saveAll(store, ["web@1.1", "main", "web@1.0", "api@1.2", "abc", "web@1.2"]);
    await saveAll(store, ["web@1.15"], [2]);
    const after = async (version: string) =>
      (await store.releases.getNextRelease(EVERYTHING, version))?.version ?? null;
    expect(await after("web@1.0")).toBe("web@1.1");
    expect(await after("web@1.1")).toBe("web@1.2");
    expect(await after("web@1.2")).toBeNull();
    expect(await after("main")).toBe("web@1.0");
    expect(await after("abc")).toBe("web@1.2");
    expect(await after("nobody")).toBeNull();
  });

  test("the latest is the highest of the package that is in use, else the last by date", async () => {
    await using store = await openStore(createDatabase);
    const latest = async (projectId = 1) =>
      (await store.releases.getLatestRelease(EVERYTHING, projectId))?.version ?? null;
    expect(await latest()).toBeNull();
    await saveAll(store, ["web@2.0", "web@1.9"]);
    expect(await latest()).toBe("web@2.0");
    expect(await latest(2)).toBeNull();
    await store.releases.saveRelease(EVERYTHING, { version: "deadbeef", projectIds: [1], at: NOON + 100 });
    expect(await latest()).toBe("deadbeef");
    await store.releases.saveRelease(EVERYTHING, { version: "api@1.0", projectIds: [1], at: NOON + 200 });
    expect(await latest()).toBe("api@1.0");
    await store.releases.saveRelease(EVERYTHING, {
      version: "web@1.9",
      projectIds: [],
      at: NOON,
      releasedAt: NOON + 300,
    });
    expect(await latest()).toBe("web@2.0");
  });

  test("finds versions by their order, those nearest first, of a package or of all", async () => {
    await using store = await openStore(createDatabase);
    await saveAll(store, ["web@2.2", "web@2.3", "web@2.10", "main", "api@3.0", "web@2.3-rc.1"]);
    await saveAll(store, ["web@9.0"], [2]);
    const find = (sign: CompareSign, version: string, scope = EVERYTHING, limit = 100) =>
      store.releases.findVersions(scope, { sign, version }, limit);
    expect(await find(">", "2.3", scopeOf(1))).toEqual(["web@2.10", "api@3.0"]);
    expect(await find(">=", "2.3")).toEqual(["web@2.3", "web@2.10", "api@3.0", "web@9.0"]);
    expect(await find("<", "web@2.3")).toEqual(["web@2.3-rc.1", "web@2.2"]);
    expect(await find("<=", "api@3.0")).toEqual(["api@3.0"]);
    expect(await find(">", "2", EVERYTHING, 2)).toEqual(["web@2.2", "web@2.3-rc.1"]);
    expect(await find(">", "main")).toEqual([]);
  });
}
