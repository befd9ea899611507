import { expect, test } from "vitest";
import type { Commit } from "../../../domain/release.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  scopeOf,
  setStatus,
} from "./fixture.ts";

const commit = (id: string, message: string): Commit => ({
  id: id.repeat(40),
  repository: "acme/web",
  authorName: "Ada",
  authorEmail: null,
  at: NOON,
  message,
  files: null,
});

/** Two projects with an issue each, and a release of the first. */
async function open(store: State) {
  const web = await createProject(store, "web");
  const api = await createProject(store, "api");
  const made = await apply(store, [
    occurrence(0, "a", { projectId: web }),
    occurrence(1, "b", { projectId: web }),
    occurrence(2, "c", { projectId: api }),
  ]);
  const [first = 0, second = 0, other = 0] = made.map(({ issueId }) => issueId);
  await store.releases.saveRelease(EVERYTHING, { version: "web@1.1.0", projectIds: [web], at: NOON });
  return { web, api, first, second, other };
}

async function send(store: State, version: string, ...commits: Commit[]): Promise<number> {
  await store.releases.setCommits(EVERYTHING, version, commits);
  return store.releases.resolveFixedIssues(EVERYTHING, version, { userId: null, at: NOON + 10 });
}

const statusOf = async (store: State, issueId: number) =>
  (await store.issues.getIssue(EVERYTHING, issueId))?.status ?? null;

export function describeFixedIssues(createDatabase: CreateStateDatabase): void {
  test("commits resolve the issues that they name in their release, and the activity names the commit", async () => {
    await using store = await openStore(createDatabase);
    const { first, second } = await open(store);
    expect(await send(store, "web@1.1.0", commit("b", "tidy up"), commit("a", "Round up\n\nFixes web-1, WEB-2"))).toBe(
      2,
    );
    expect(await store.issues.getIssue(EVERYTHING, first)).toMatchObject({
      status: "resolved",
      resolution: { kind: "release", version: "web@1.1.0" },
    });
    expect(await statusOf(store, second)).toBe("resolved");
    expect((await store.issues.listActivity(EVERYTHING, first))[0]).toMatchObject({
      kind: "resolved",
      user: null,
      data: {
        resolution: { kind: "release", version: "web@1.1.0" },
        commit: { id: "a".repeat(40), repository: "acme/web" },
      },
    });
    expect((await store.releases.listReleaseIssues(EVERYTHING, "web@1.1.0")).resolvedIssueIds.toSorted()).toEqual([
      first,
      second,
    ]);
  });

  test("a commit acts once: not when it is sent again, nor when a later release has it, too", async () => {
    await using store = await openStore(createDatabase);
    const { web, first } = await open(store);
    const fix = commit("a", "fixes WEB-1");
    expect(await send(store, "web@1.1.0", fix)).toBe(1);
    await setStatus(store, [first], "unresolved", NOON + 20);
    expect(await send(store, "web@1.1.0", fix)).toBe(0);
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.2.0", projectIds: [web], at: NOON });
    expect(await send(store, "web@1.2.0", fix)).toBe(0);
    expect(await statusOf(store, first)).toBe("unresolved");
    expect(await send(store, "web@1.2.0", commit("c", "fixes WEB-1, really"), fix)).toBe(1);
    expect(await store.issues.getIssue(EVERYTHING, first)).toMatchObject({
      resolution: { kind: "release", version: "web@1.2.0" },
    });
  });

  test("issues of other projects, of none, and outside of the scope stay as they are, until the release is theirs", async () => {
    await using store = await openStore(createDatabase);
    const { web, api, first, other } = await open(store);
    expect(await send(store, "web@1.1.0", commit("a", "fixes API-1, WEB-99 and NOWHERE-1"))).toBe(0);
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.1.0", projectIds: [api], at: NOON });
    const by = { userId: null, at: NOON + 10 };
    expect(await store.releases.resolveFixedIssues(scopeOf(web), "web@1.1.0", by)).toBe(0);
    expect(await store.releases.resolveFixedIssues(EVERYTHING, "web@1.1.0", by)).toBe(1);
    expect([await statusOf(store, first), await statusOf(store, other)]).toEqual(["unresolved", "resolved"]);
    expect(await store.releases.resolveFixedIssues(EVERYTHING, "nobody", by)).toBe(0);
  });
}
