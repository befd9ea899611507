import { expect, test } from "vitest";
import type { Resolution, ResolutionRequest } from "../../../domain/release.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, openStore, setStatus } from "./fixture.ts";

const RESOLVED_AT = NOON + 100;

/** Issue `a` of project 1, whose event came at noon, resolved a little later. */
async function resolve(store: State, resolution: ResolutionRequest | null, release = "web@1.1"): Promise<number> {
  const [made] = await apply(store, [occurrence(0, "a", { release })]);
  const issueId = made?.issueId ?? 0;
  await store.issues.changeIssueStatus(EVERYTHING, {
    issueIds: [issueId],
    status: "resolved",
    resolution,
    userId: null,
    at: RESOLVED_AT,
  });
  return issueId;
}

let sequence = 1;

/** Whether an event of the release, after the resolve, brings the issue back. */
async function comesBackWith(store: State, release: string | null, at = RESOLVED_AT + 50): Promise<boolean> {
  const [assignment] = await apply(store, [occurrence(sequence++, "a", { release, at })]);
  return assignment?.transition === "regressed";
}

async function resolutionOf(store: State, issueId: number): Promise<Resolution | null | undefined> {
  return (await store.issues.getIssue(EVERYTHING, issueId))?.resolution;
}

function commitOf(id: string) {
  return { id, repository: "acme/web", authorName: null, authorEmail: null, at: NOON, message: "", files: null };
}

export function describeResolutions(createDatabase: CreateStateDatabase): void {
  test("an issue says what it waits for, and so does its activity", async () => {
    await using store = await openStore(createDatabase);
    const resolution = { kind: "release", version: "web@1.2" } as const;
    const issueId = await resolve(store, resolution);
    expect(await resolutionOf(store, issueId)).toEqual(resolution);
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "resolved",
      data: { resolution },
    });
  });

  test("fixed in a release: events of older versions are old news, that one and newer ones bring it back", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "release", version: "web@1.2" });
    expect(await comesBackWith(store, "web@1.1")).toBe(false);
    expect(await comesBackWith(store, "web@1.2-rc.1")).toBe(false);
    expect(await comesBackWith(store, "web@1.2", RESOLVED_AT - 1)).toBe(false);
    expect(await comesBackWith(store, "web@1.2")).toBe(true);
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "regressed",
      data: { release: "web@1.2" },
    });
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({
      status: "unresolved",
      resolution: null,
      archive: null,
    });
    // What it waited for has come to nothing.
    await store.issues.restoreIssueStatuses(EVERYTHING, [{ issueId, status: "resolved", substatus: "ongoing" }], {
      userId: null,
      at: RESOLVED_AT + 60,
    });
    expect(await resolutionOf(store, issueId)).toBeNull();
  });

  test("fixed in a release: a newer version brings it back, though its release was made earlier", async () => {
    await using store = await openStore(createDatabase);
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.10", projectIds: [1], at: NOON - 1 });
    await resolve(store, { kind: "release", version: "web@1.2" });
    expect(await comesBackWith(store, "web@1.10")).toBe(true);
  });

  test("fixed in a release that is no version: dates decide, and until it is made every other one is older", async () => {
    await using store = await openStore(createDatabase);
    await resolve(store, { kind: "release", version: "fix" }, "first");
    expect(await comesBackWith(store, "second")).toBe(false);
    await store.releases.saveRelease(EVERYTHING, { version: "fix", projectIds: [1], at: RESOLVED_AT + 60 });
    expect(await comesBackWith(store, "second", RESOLVED_AT + 70)).toBe(false);
    await store.releases.saveRelease(EVERYTHING, { version: "third", projectIds: [1], at: RESOLVED_AT + 61 });
    expect(await comesBackWith(store, "third", RESOLVED_AT + 80)).toBe(true);
  });

  test("versions of another package say nothing: there, dates decide", async () => {
    await using store = await openStore(createDatabase);
    await store.releases.saveRelease(EVERYTHING, { version: "api@9.0", projectIds: [1], at: NOON - 20 });
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.2", projectIds: [1], at: NOON - 10 });
    await resolve(store, { kind: "release", version: "web@1.2" });
    expect(await comesBackWith(store, "api@9.0")).toBe(false);
    await store.releases.saveRelease(EVERYTHING, { version: "api@0.1", projectIds: [1], at: RESOLVED_AT });
    expect(await comesBackWith(store, "api@0.1")).toBe(true);
  });

  test("a release that the batch itself makes is compared from then on", async () => {
    await using store = await openStore(createDatabase);
    await resolve(store, { kind: "release", version: "fix" }, "first");
    const assignments = await apply(store, [
      occurrence(sequence++, "a", { release: "second", at: RESOLVED_AT + 50 }),
      occurrence(sequence++, "b", { release: "fix", at: RESOLVED_AT + 40 }),
      occurrence(sequence++, "a", { release: "second", at: RESOLVED_AT + 60 }),
    ]);
    expect(assignments.map(({ transition }) => transition)).toEqual([null, "new", "regressed"]);
  });

  test("the date of a release is when it was released, where that is known", async () => {
    await using store = await openStore(createDatabase);
    await store.releases.saveRelease(EVERYTHING, { version: "fix", projectIds: [1], at: NOON, releasedAt: NOON + 90 });
    await store.releases.saveRelease(EVERYTHING, {
      version: "before",
      projectIds: [1],
      at: NOON + 10,
      releasedAt: NOON + 20,
    });
    await resolve(store, { kind: "release", version: "fix" }, "first");
    expect(await comesBackWith(store, "before")).toBe(false);
    await store.releases.saveRelease(EVERYTHING, {
      version: "before",
      projectIds: [1],
      at: NOON,
      releasedAt: NOON + 91,
    });
    expect(await comesBackWith(store, "before")).toBe(true);
  });

  test("an event without a release is judged by its time alone", async () => {
    await using store = await openStore(createDatabase);
    await resolve(store, { kind: "release", version: "web@9" });
    expect(await comesBackWith(store, null, RESOLVED_AT - 1)).toBe(false);
    expect(await comesBackWith(store, null)).toBe(true);
  });

  test("fixed in the next release: those up to the latest are old news, and the next newer one takes its place", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "next_release" });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "next_release", after: "web@1.1" });
    expect(await comesBackWith(store, "web@1.1")).toBe(false);
    expect(await comesBackWith(store, "web@1.0")).toBe(false);
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "next_release", after: "web@1.1" });
    await store.releases.saveRelease(EVERYTHING, { version: "web@2.0", projectIds: [2], at: RESOLVED_AT + 1 });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "next_release", after: "web@1.1" });
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.2", projectIds: [1], at: RESOLVED_AT + 2 });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.2" });
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.3", projectIds: [1], at: RESOLVED_AT + 3 });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.2" });
    expect(await comesBackWith(store, "web@1.1")).toBe(false);
    expect(await comesBackWith(store, "web@1.3")).toBe(true);
  });

  test("the event that makes the next release is one of it", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "next_release" });
    const [other, own] = await apply(store, [
      occurrence(sequence++, "b", { release: "web@1.2", at: RESOLVED_AT + 10 }),
      occurrence(sequence++, "a", { release: "web@1.1.5", at: RESOLVED_AT + 10 }),
    ]);
    expect(other?.transition).toBe("new");
    // Newer than 1.1, and older than the release that had taken the place of "next" by then.
    expect(own?.transition).toBeNull();
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.2" });
    expect(await comesBackWith(store, "web@1.2")).toBe(true);
  });

  test("where there was no release, the first one made after the resolve is the next", async () => {
    await using store = await openStore(createDatabase);
    const [made] = await apply(store, [occurrence(0, "a")]);
    const issueId = made?.issueId ?? 0;
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "resolved",
      resolution: { kind: "next_release" },
      userId: null,
      at: RESOLVED_AT,
    });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "next_release", after: null });
    await store.releases.saveRelease(EVERYTHING, { version: "old", projectIds: [1], at: RESOLVED_AT - 1 });
    expect(await comesBackWith(store, "old")).toBe(false);
    await store.releases.saveRelease(EVERYTHING, { version: "first", projectIds: [1], at: RESOLVED_AT + 1 });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "first" });
    expect(await comesBackWith(store, "first")).toBe(true);
  });

  test("what a caller names as the last old release stands", async () => {
    await using store = await openStore(createDatabase);
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.5", projectIds: [1], at: NOON });
    const issueId = await resolve(store, { kind: "next_release", after: "web@1.1" });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "next_release", after: "web@1.1" });
    expect(await comesBackWith(store, "web@1.5")).toBe(true);
  });

  test("fixed in the current release means the latest of each issue's project", async () => {
    await using store = await openStore(createDatabase);
    const made = await apply(store, [
      occurrence(0, "a", { release: "web@1.1" }),
      occurrence(1, "b", { release: "api@7.0", projectId: 2 }),
      occurrence(2, "c", { projectId: 3 }),
    ]);
    const issueIds = made.map(({ issueId }) => issueId);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds,
      status: "resolved",
      resolution: { kind: "latest_release" },
      userId: null,
      at: RESOLVED_AT,
    });
    expect((await store.issues.getIssues(EVERYTHING, issueIds)).map(({ resolution }) => resolution)).toEqual([
      { kind: "release", version: "web@1.1" },
      { kind: "release", version: "api@7.0" },
      null,
    ]);
  });

  test("fixed by a commit: nothing of a release brings it back until one has the commit", async () => {
    await using store = await openStore(createDatabase);
    const resolution = { kind: "commit", commitId: "f1f1", repository: "acme/web" } as const;
    const issueId = await resolve(store, resolution);
    expect(await resolutionOf(store, issueId)).toEqual(resolution);
    expect(await comesBackWith(store, "web@1.1")).toBe(false);
    expect(await comesBackWith(store, "web@1.2")).toBe(false);
    await store.releases.setCommits(EVERYTHING, "web@1.2", [
      commitOf("0000"),
      { ...commitOf("f1f1"), repository: "acme/api" },
    ]);
    expect(await resolutionOf(store, issueId)).toEqual(resolution);
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.3", projectIds: [1], at: RESOLVED_AT + 1 });
    await store.releases.setCommits(EVERYTHING, "web@1.3", [commitOf("0000"), commitOf("f1f1")]);
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.3" });
    expect(await comesBackWith(store, "web@1.2")).toBe(false);
    expect(await comesBackWith(store, "web@1.3")).toBe(true);
  });

  test("fixed by a commit that releases have already means the oldest of them in the project", async () => {
    await using store = await openStore(createDatabase);
    for (const [version, projectId] of [
      ["web@1.3", 1],
      ["web@1.2", 1],
      ["web@1.0", 2],
    ] as const) {
      await store.releases.saveRelease(EVERYTHING, { version, projectIds: [projectId], at: NOON });
      await store.releases.setCommits(EVERYTHING, version, [commitOf("f1f1")]);
    }
    const issueId = await resolve(store, { kind: "commit", commitId: "f1f1", repository: "acme/web" });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.2" });
  });

  test("a release that has the commit, and only then becomes one of the project, takes its place too", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "commit", commitId: "f1f1", repository: "acme/web" });
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.3", projectIds: [2], at: NOON });
    await store.releases.setCommits(EVERYTHING, "web@1.3", [commitOf("f1f1")]);
    expect(await resolutionOf(store, issueId)).toMatchObject({ kind: "commit" });
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.3", projectIds: [1], at: NOON });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.3" });
  });

  test("a resolved issue can be given another resolution, and keeps it when nothing is said of one", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "release", version: "web@1.2" });
    const change = { issueIds: [issueId], status: "resolved" as const, userId: null, at: RESOLVED_AT + 1 };
    expect(await store.issues.changeIssueStatus(EVERYTHING, change)).toEqual([]);
    expect(
      await store.issues.changeIssueStatus(EVERYTHING, {
        ...change,
        resolution: { kind: "release", version: "web@1.2" },
      }),
    ).toEqual([]);
    const before = await store.issues.changeIssueStatus(EVERYTHING, { ...change, resolution: null, archive: null });
    expect(before).toMatchObject([
      { issueId, status: "resolved", resolution: { kind: "release", version: "web@1.2" } },
    ]);
    expect(await resolutionOf(store, issueId)).toBeNull();
    await store.issues.restoreIssueStatuses(EVERYTHING, before, { userId: null, at: RESOLVED_AT + 2 });
    expect(await resolutionOf(store, issueId)).toEqual({ kind: "release", version: "web@1.2" });
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "resolved",
      data: { isUndo: true },
    });
  });

  test("undo gives back what the issue waited for, also to who has kept only the status", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "next_release" });
    const [before] = await setStatus(store, [issueId], "archived", RESOLVED_AT + 1);
    expect(await resolutionOf(store, issueId)).toBeNull();
    // Made while the issue is put away: what it waited for goes on waiting.
    await store.releases.saveRelease(EVERYTHING, { version: "web@1.2", projectIds: [1], at: RESOLVED_AT + 2 });
    if (before === undefined) throw new Error("nothing was changed");
    const { status, substatus } = before;
    await store.issues.restoreIssueStatuses(EVERYTHING, [{ issueId, status, substatus }], {
      userId: null,
      at: RESOLVED_AT + 3,
    });
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({
      status: "resolved",
      resolution: { kind: "release", version: "web@1.2" },
    });
    expect(await comesBackWith(store, "web@1.1")).toBe(false);
  });

  test("a plain resolve forgets what the issue waited for before", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await resolve(store, { kind: "release", version: "web@9" });
    const change = { issueIds: [issueId], userId: null };
    await store.issues.changeIssueStatus(EVERYTHING, { ...change, status: "unresolved", at: RESOLVED_AT + 1 });
    await store.issues.changeIssueStatus(EVERYTHING, { ...change, status: "resolved", at: RESOLVED_AT + 2 });
    expect(await resolutionOf(store, issueId)).toBeNull();
    expect(await comesBackWith(store, "web@1.1")).toBe(true);
  });

  test("a resolution is only for issues that are resolved", async () => {
    await using store = await openStore(createDatabase);
    const [made] = await apply(store, [occurrence(0, "a", { release: "web@1.1" })]);
    const issueId = made?.issueId ?? 0;
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "archived",
      resolution: { kind: "latest_release" },
      userId: null,
      at: NOON + 1,
    });
    await store.issues.restoreIssueStatuses(EVERYTHING, [{ issueId, status: "resolved", substatus: "new" }], {
      userId: null,
      at: NOON + 2,
    });
    expect(await resolutionOf(store, issueId)).toBeNull();
  });
}
