import { expect, test } from "vitest";
import type { Commit } from "../../../domain/release.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { MAX_REPOSITORIES } from "../repository-store.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, openStore } from "./fixture.ts";

const WEB = { name: "acme/web", provider: "github", url: "https://github.com/acme/web", at: NOON } as const;

function commit(id: string, change: Partial<Commit> = {}): Commit {
  return {
    id,
    repository: "acme/web",
    authorName: "Ann",
    authorEmail: "ann@example.com",
    at: NOON,
    message: `message of ${id}`,
    files: [{ path: `src/${id}.ts`, change: "M" }],
    ...change,
  };
}

async function saveRelease(store: State, version: string, at = NOON): Promise<void> {
  await store.releases.saveRelease(EVERYTHING, { version, projectIds: [1], at });
}

async function namesOf(store: State, change: object = {}): Promise<string[]> {
  const { repositories } = await store.repositories.listRepositories({ cursor: null, limit: 100, ...change });
  return repositories.map(({ name }) => name);
}

export function describeRepositories(createDatabase: CreateStateDatabase): void {
  test("a repository is made, changed, disabled and deleted", async () => {
    await using store = await openStore(createDatabase);
    const made = await store.repositories.createRepository(WEB);
    if (!made.ok) throw new Error(made.reason);
    const { at, ...fields } = WEB;
    expect(made.repository).toEqual({
      ...fields,
      id: expect.any(Number),
      status: "active",
      createdAt: at,
      lastCommitAt: null,
    });
    const { id } = made.repository;
    expect(await store.repositories.createRepository({ ...WEB, url: null })).toEqual({
      ok: false,
      reason: "name-taken",
    });
    const other = await store.repositories.createRepository({ ...WEB, name: "acme/api", provider: null });
    expect(other).toMatchObject({ ok: true, repository: { provider: null } });

    const changed = { ...made.repository, url: null, status: "disabled" as const };
    expect(await store.repositories.changeRepository(id, { url: null, status: "disabled" })).toEqual({
      ok: true,
      repository: changed,
    });
    expect(await store.repositories.getRepository(id)).toEqual(changed);
    expect(await store.repositories.changeRepository(id, { name: "acme/api" })).toEqual({
      ok: false,
      reason: "name-taken",
    });
    expect(await store.repositories.changeRepository(999, { url: null })).toEqual({ ok: false, reason: "not-found" });
    expect(await namesOf(store)).toEqual(["acme/api", "acme/web"]);
    expect(await namesOf(store, { status: "active" })).toEqual(["acme/api"]);
    expect(await namesOf(store, { text: "WEB" })).toEqual(["acme/web"]);

    expect(await store.repositories.deleteRepository(id)).toBe(true);
    expect(await store.repositories.deleteRepository(id)).toBe(false);
    expect(await store.repositories.getRepository(id)).toBeNull();
  });

  test("a list pages by name, both ways", async () => {
    await using store = await openStore(createDatabase);
    for (const name of ["c", "a", "e", "b", "d"]) await store.repositories.createRepository({ ...WEB, name });
    const page = async (cursor: string | null) => {
      const { repositories, ...cursors } = await store.repositories.listRepositories({ cursor, limit: 2 });
      return { names: repositories.map(({ name }) => name).join(""), ...cursors };
    };
    const first = await page(null);
    expect(first).toMatchObject({ names: "ab", previousCursor: null });
    const second = await page(first.nextCursor);
    expect(second.names).toBe("cd");
    const third = await page(second.nextCursor);
    expect(third).toMatchObject({ names: "e", nextCursor: null });
    const back = await page(third.previousCursor);
    expect(back).toMatchObject({ names: "cd", nextCursor: expect.any(String) });
    expect(await page(back.previousCursor)).toMatchObject({ names: "ab", previousCursor: null });
    expect(await page("after.999999")).toMatchObject({ names: "ab" });
    expect(await page("x")).toMatchObject({ names: "ab" });
  });

  test("names that builds give in commits and heads are noted, and invalid names are not", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    await store.repositories.createRepository({ ...WEB, at: NOON - HOUR_MS });
    await store.releases.setCommits(EVERYTHING, "1.0", [
      commit("a", { at: NOON + 5 }),
      commit("b"),
      commit("c", { repository: "acme/api" }),
      commit("d", { repository: "local" }),
      commit("e", { repository: "" }),
    ]);
    await store.releases.setHeads(
      EVERYTHING,
      "1.0",
      [{ repository: "acme/docs", commitId: "fffffff", previousCommitId: null }],
      NOON + 9,
    );
    const { repositories } = await store.repositories.listRepositories({ cursor: null, limit: 10 });
    expect(repositories).toMatchObject([
      { name: "acme/api", provider: null, url: null, createdAt: NOON, lastCommitAt: NOON },
      { name: "acme/docs", createdAt: NOON + 9, lastCommitAt: NOON + 9 },
      { name: "acme/web", provider: "github", createdAt: NOON - HOUR_MS, lastCommitAt: NOON + 5 },
    ]);
  });

  test("so many repositories are kept", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    const commits = Array.from({ length: MAX_REPOSITORIES + 1 }, (_, index) =>
      commit(`c${index}`, { repository: `acme/${index}`, files: null }),
    );
    await store.releases.setCommits(EVERYTHING, "1.0", commits);
    expect(await store.repositories.createRepository(WEB)).toEqual({ ok: false, reason: "too-many" });
    expect(await namesOf(store, { text: `acme/${MAX_REPOSITORIES}` })).toEqual([]);
    expect((await store.releases.listCommits(EVERYTHING, "1.0", { limit: 1000 })).at(999)?.repository).toBe("acme/999");
  });

  test("of a head that no release came with, the hash is known", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    const head = { repository: "acme/web", commitId: "aaaaaaa", previousCommitId: "bbbbbbb" };
    await store.releases.setHeads(EVERYTHING, "1.0", [head], NOON + 3);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({
      commitCount: 1,
      lastCommitId: "aaaaaaa",
      heads: [{ ...head, hasCommits: false }],
      authors: [],
    });
    const bare = { id: "aaaaaaa", repository: "acme/web", authorName: null, authorEmail: null, at: NOON + 3 };
    expect(await store.releases.listCommits(EVERYTHING, "1.0", { limit: 10 })).toEqual([
      { ...bare, message: "", files: null },
    ]);
    // Said again, it is no more known than before.
    await store.releases.setHeads(EVERYTHING, "1.0", [head], NOON + 4);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({
      commitCount: 1,
      heads: [{ hasCommits: false }],
    });
    await expect(store.releases.setHeads(EVERYTHING, "nobody", [head], NOON)).rejects.toThrow(RangeError);
  });

  test("only a hash names a commit", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    const head = { repository: "acme/web", commitId: "HEAD", previousCommitId: "HEAD~2" };
    await store.releases.setHeads(EVERYTHING, "1.0", [head], NOON);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({
      commitCount: 0,
      lastCommitId: null,
      heads: [{ ...head, hasCommits: false }],
    });
  });

  test("commits that another release came with become those of the range", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "canary");
    await store.releases.setCommits(
      EVERYTHING,
      "canary",
      ["e", "d", "c", "b", "a"].map((id) => commit(id)),
    );
    await saveRelease(store, "1.0");
    await store.releases.setHeads(
      EVERYTHING,
      "1.0",
      [{ repository: "acme/web", commitId: "d", previousCommitId: "b" }],
      NOON + 3,
    );
    expect(await store.releases.listCommits(EVERYTHING, "1.0", { limit: 10 })).toEqual([commit("d"), commit("c")]);
    expect((await store.releases.getRelease(EVERYTHING, "1.0"))?.heads).toMatchObject([{ hasCommits: true }]);
    // The end of the range is in no list: the head alone, and it stays so.
    await saveRelease(store, "3.0");
    for (let time = 0; time < 2; time++) {
      await store.releases.setHeads(
        EVERYTHING,
        "3.0",
        [{ repository: "acme/web", commitId: "d", previousCommitId: "x" }],
        NOON + 3,
      );
      expect(await store.releases.listCommits(EVERYTHING, "3.0", { limit: 10 })).toEqual([commit("d")]);
      expect((await store.releases.getRelease(EVERYTHING, "3.0"))?.heads).toMatchObject([{ hasCommits: false }]);
    }
  });

  test("a whole hash is the same commit under every name of its repository, and the begin of one is not", async () => {
    await using store = await openStore(createDatabase);
    const [head, middle, end] = ["d", "c", "b"].map((digit) => digit.repeat(40)) as [string, string, string];
    await saveRelease(store, "canary");
    await store.releases.setCommits(
      EVERYTHING,
      "canary",
      [head, middle, end, "abcdef0"].map((id) => commit(id, { repository: "origin" })),
    );
    await saveRelease(store, "1.0");
    const ref = { repository: "acme/web", commitId: head, previousCommitId: end };
    await store.releases.setHeads(EVERYTHING, "1.0", [ref], NOON + 3);
    const range = [commit(head), commit(middle)];
    expect(await store.releases.listCommits(EVERYTHING, "1.0", { limit: 10 })).toEqual(range);
    await store.releases.setHeads(EVERYTHING, "1.0", [ref], NOON + 3);
    expect(await store.releases.listCommits(EVERYTHING, "1.0", { limit: 10 })).toEqual(range);
    await saveRelease(store, "2.0");
    await store.releases.setHeads(
      EVERYTHING,
      "2.0",
      [{ ...ref, commitId: "abcdef0", previousCommitId: null }],
      NOON + 3,
    );
    expect(await store.releases.listCommits(EVERYTHING, "2.0", { limit: 10 })).toMatchObject([
      { id: "abcdef0", message: "", repository: "acme/web" },
    ]);
  });

  test("a range that does not say where it begins, begins after the release before", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "canary", NOON - HOUR_MS);
    await store.releases.setCommits(
      EVERYTHING,
      "canary",
      ["d", "c", "b", "a"].map((id) => commit(id)),
    );
    await saveRelease(store, "web@1.0.0");
    await store.releases.setCommits(EVERYTHING, "web@1.0.0", [commit("b")]);
    await saveRelease(store, "web@1.1.0");
    await store.releases.setHeads(
      EVERYTHING,
      "web@1.1.0",
      [{ repository: "acme/web", commitId: "d", previousCommitId: null }],
      NOON,
    );
    expect((await store.releases.listCommits(EVERYTHING, "web@1.1.0", { limit: 10 })).map(({ id }) => id)).toEqual([
      "d",
      "c",
    ]);
  });

  test("heads take no commits away, and a list takes the place of heads", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    await store.releases.setCommits(EVERYTHING, "1.0", [commit("bbbbbbb"), commit("aaaaaaa")]);
    const head = (commitId: string) => ({ repository: "acme/web", commitId, previousCommitId: null });
    await store.releases.setHeads(EVERYTHING, "1.0", [head("aaaaaaa")], NOON);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({
      commitCount: 2,
      heads: [{ hasCommits: true }],
    });
    await store.releases.setHeads(EVERYTHING, "1.0", [head("ccccccc")], NOON);
    expect((await store.releases.listCommits(EVERYTHING, "1.0", { limit: 10 })).map(({ id }) => id)).toEqual([
      "ccccccc",
      "bbbbbbb",
      "aaaaaaa",
    ]);
    await store.releases.setCommits(EVERYTHING, "1.0", [commit("ccccccc")]);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({ commitCount: 1, heads: [] });
    await store.releases.setHeads(EVERYTHING, "1.0", [head("ccccccc")], NOON);
    await store.releases.setCommits(EVERYTHING, "1.0", []);
    expect(await store.releases.getRelease(EVERYTHING, "1.0")).toMatchObject({
      commitCount: 0,
      lastCommitId: null,
      heads: [],
    });
  });

  test("an issue that waits for a commit is fixed in the release whose head it is", async () => {
    await using store = await openStore(createDatabase);
    await saveRelease(store, "1.0");
    const { issueId } = await makeIssue(store);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "resolved",
      resolution: { kind: "commit", commitId: "aaaaaaa", repository: "acme/web" },
      userId: null,
      at: NOON,
    });
    await store.releases.setHeads(
      EVERYTHING,
      "1.0",
      [{ repository: "acme/web", commitId: "aaaaaaa", previousCommitId: null }],
      NOON,
    );
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({
      resolution: { kind: "release", version: "1.0" },
    });
  });
}

async function makeIssue(store: State): Promise<{ issueId: number }> {
  const [assignment] = await apply(store, [occurrence(1, "one")]);
  if (!assignment) throw new Error("no issue was made");
  return assignment;
}
