import { expect, test } from "vitest";
import { DAY_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, scopeOf } from "./fixture.ts";

const LATER = NOON + DAY_MS;

/** Two issues of three and two events. */
async function twoIssues(store: State): Promise<[number, number]> {
  const assigned = await apply(store, [
    occurrence(0, "a"),
    occurrence(1, "a"),
    occurrence(2, "a"),
    occurrence(3, "b"),
    occurrence(4, "b"),
  ]);
  return [assigned[0]?.issueId ?? 0, assigned[3]?.issueId ?? 0];
}

export function describeIssueMerges(createDatabase: CreateStateDatabase): void {
  test("merged issues are one, and later events of both are in it", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a, b] = await twoIssues(store);
    const before = await store.issues.getIssue(EVERYTHING, b);
    const change = { targetId: a, issueIds: [b], name: null, userId: null, at: LATER };
    const merged = await store.issueMerges.mergeIssues(EVERYTHING, change);
    expect(merged).toMatchObject({
      ok: true,
      merges: [{ target: { issueId: a }, merged: { issueId: b }, undoneAt: null }],
    });
    expect(await store.issues.getIssue(EVERYTHING, b)).toMatchObject({ id: a, eventCount: 5 });
    expect(await apply(store, [occurrence(5, "b")])).toMatchObject([{ issueId: a }]);
    expect((await store.issues.listActivity(EVERYTHING, a))[0]).toMatchObject({
      kind: "joined",
      data: { shortId: before?.shortId, events: 2 },
    });
    expect(await store.issueMerges.mergeIssues(EVERYTHING, change)).toEqual({ ok: false, reason: "not-found" });
  });

  test("undone, the issue is what it was, its hashes lead to it, and the job is asked for its events", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a, b] = await twoIssues(store);
    await store.issues.changeIssueStatus(EVERYTHING, { issueIds: [b], status: "archived", userId: null, at: NOON });
    const before = await store.issues.getIssue(EVERYTHING, b);
    const merged = await store.issueMerges.mergeIssues(EVERYTHING, {
      targetId: a,
      issueIds: [b],
      name: "both",
      userId: null,
      at: LATER,
    });
    const mergeId = merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
    const undo = { mergeId, userId: null, at: LATER + 1 };
    expect(await store.issueMerges.undoMerge(EVERYTHING, undo)).toEqual({ ok: false, reason: "not-settled" });
    await store.reprocessing.confirmMerges([b]);
    expect(await store.issueMerges.undoMerge(scopeOf(), undo)).toEqual({ ok: false, reason: "not-found" });
    expect(await store.issueMerges.undoMerge(EVERYTHING, undo)).toMatchObject({ ok: true, merge: { name: "both" } });
    expect(await store.issueMerges.undoMerge(EVERYTHING, undo)).toEqual({ ok: false, reason: "undone-before" });
    expect(await store.issues.getIssue(EVERYTHING, b)).toEqual({ ...before, eventCount: 0, userCount: 0 });
    expect((await store.issues.listActivity(EVERYTHING, b)).map(({ kind }) => kind)).toEqual([
      "split_off",
      "archived",
      "first_seen",
    ]);
    expect(await store.regroupingRequests.listRequests(10)).toMatchObject([{ issueId: a }]);
    expect(await apply(store, [occurrence(5, "b")])).toMatchObject([{ issueId: b }]);
    const [request] = await store.regroupingRequests.listRequests(10);
    if (request) await store.regroupingRequests.endRequest({ ...request, askedAt: request.askedAt - 1 });
    expect(await store.regroupingRequests.listRequests(10)).toHaveLength(1);
    if (request) await store.regroupingRequests.endRequest(request);
    expect(await store.regroupingRequests.listRequests(10)).toEqual([]);
  });

  test("a merge into an issue that ended later is undone from where that one ended", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a, b] = await twoIssues(store);
    const [c] = (await apply(store, [occurrence(6, "c")])).map(({ issueId }) => issueId);
    const merge = async (targetId: number, issueId: number) => {
      const change = { targetId, issueIds: [issueId], name: null, userId: null, at: LATER };
      const merged = await store.issueMerges.mergeIssues(EVERYTHING, change);
      await store.reprocessing.confirmMerges([issueId]);
      return merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
    };
    const first = await merge(a, b);
    const second = await merge(c ?? 0, a);
    const by = { userId: null, at: LATER + 1 };
    expect(await store.issueMerges.undoMerge(EVERYTHING, { mergeId: first, ...by })).toMatchObject({ ok: true });
    expect(await apply(store, [occurrence(7, "b"), occurrence(8, "a")])).toMatchObject([
      { issueId: b },
      { issueId: c },
    ]);
    expect(await store.issueMerges.undoMerge(EVERYTHING, { mergeId: second, ...by })).toMatchObject({ ok: true });
    expect(await apply(store, [occurrence(9, "b"), occurrence(10, "a")])).toMatchObject([
      { issueId: b },
      { issueId: a },
    ]);
  });

  test("merged once, later events of the keys are a new issue, which joins when it is undone", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a, b] = await twoIssues(store);
    const change = { targetId: a, issueIds: [b], name: null, isOnce: true, userId: null, at: LATER };
    const merged = await store.issueMerges.mergeIssues(EVERYTHING, change);
    expect(merged).toMatchObject({ ok: true, merges: [{ isOnce: true, hashes: ["b"] }] });
    expect(await store.issues.getIssue(EVERYTHING, b)).toMatchObject({ id: a, eventCount: 5 });
    expect(await store.regroupingRequests.listKeptHashes(a)).toEqual(["b"]);
    const [later] = await apply(store, [occurrence(5, "b")]);
    expect([a, b]).not.toContain(later?.issueId);
    await store.reprocessing.confirmMerges([b]);
    const mergeId = merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
    expect(await store.issueMerges.undoMerge(EVERYTHING, { mergeId, userId: null, at: LATER })).toMatchObject({
      ok: true,
    });
    expect(await store.regroupingRequests.listKeptHashes(a)).toEqual([]);
    const requested = (await store.regroupingRequests.listRequests(10)).map(({ issueId }) => issueId);
    expect(new Set(requested)).toEqual(new Set([a, later?.issueId]));
    expect(await apply(store, [occurrence(6, "b")])).toMatchObject([{ issueId: b }]);
  });

  test("a merge counts the events that come by it, once each, and can be renamed", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a, b] = await twoIssues(store);
    const change = { targetId: a, issueIds: [b], name: null, userId: null, at: LATER };
    const merged = await store.issueMerges.mergeIssues(EVERYTHING, change);
    const mergeId = merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
    const later = [occurrence(5, "b", { at: LATER }), occurrence(6, "a"), occurrence(7, "b")];
    await apply(store, later);
    // As after a crash.
    await apply(store, later);
    expect(await store.issueMerges.renameMerge(scopeOf(), { mergeId, name: "Both" })).toBe(false);
    expect(await store.issueMerges.renameMerge(EVERYTHING, { mergeId, name: "Both" })).toBe(true);
    expect(await store.issueMerges.listMerges(EVERYTHING, { projectId: 1 })).toMatchObject([
      { name: "Both", isOnce: false, decidedCount: 2, decidedAt: LATER },
    ]);
    await store.reprocessing.confirmMerges([b]);
    await store.issueMerges.undoMerge(EVERYTHING, { mergeId, userId: null, at: LATER });
    await apply(store, [occurrence(8, "b")]);
    expect((await store.issueMerges.listMerges(EVERYTHING, { projectId: 1 }))[0]?.decidedCount).toBe(2);
  });

  test("issues of two projects are not merged", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [one, two] = await apply(store, [occurrence(0, "a"), occurrence(1, "a", { projectId: 2 })]);
    const change = { targetId: one?.issueId ?? 0, issueIds: [two?.issueId ?? 0], name: null, userId: null, at: LATER };
    expect(await store.issueMerges.mergeIssues(EVERYTHING, change)).toEqual({ ok: false, reason: "other-project" });
    expect(await store.issueMerges.mergeIssues(scopeOf(2), change)).toEqual({ ok: false, reason: "not-found" });
  });
}
