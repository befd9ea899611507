import { expect, test } from "vitest";
import { DAY_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, createProject, EVERYTHING, NOON, occurrence, scopeOf } from "./fixture.ts";

const SINCE = NOON - DAY_MS;
const LATER = NOON + 1_000;

/** Issues of the hashes, one event each, and a move of their project that has begun. */
async function begin(
  store: State,
  hashes: string[],
): Promise<{ projectId: number; issueIds: number[]; moveId: number }> {
  const projectId = await createProject(store, "moved");
  const occurrences = hashes.map((hash, sequence) => occurrence(sequence, hash, { projectId }));
  const issueIds = (await apply(store, occurrences)).map(({ issueId }) => issueId);
  const asked = await store.ruleMoves.requestMove(EVERYTHING, { projectId, since: SINCE, userId: null, at: LATER });
  if (!asked.ok) throw new Error(asked.reason);
  return { projectId, issueIds, moveId: asked.move.id };
}

/** What the job does with the event of an issue that a rule gives another key. */
async function moveTo(
  store: State,
  hash: string,
  { projectId, issueId, sequence, moveId }: { projectId: number; issueId: number; sequence: number; moveId: number },
) {
  const event = occurrence(sequence, hash, { projectId });
  const group = { hashes: [hash], grouping: event.grouping, headline: event, events: [event] };
  return await store.reprocessing.regroupEvents({
    fromIssueId: issueId,
    at: LATER,
    groups: [group],
    isComplete: true,
    byRules: { cause: "rules", mayEnd: true, move: { id: moveId, userId: null } },
  });
}

export function describeRuleMoves(createDatabase: CreateStateDatabase): void {
  test("a move goes over the issues of its time, one after the other, and one at a time", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const projectId = await createProject(store, "other");
    await apply(store, [occurrence(90, "old", { projectId, at: SINCE - 1 })]);
    const { projectId: own, issueIds, moveId } = await begin(store, ["a", "b"]);
    await apply(store, [occurrence(91, "later", { projectId: own })]);
    const work = store.ruleMoveWork;
    expect(await work.findOpenMove()).toEqual({
      id: moveId,
      projectId: own,
      since: SINCE,
      userId: null,
      isToBeUndone: false,
    });
    expect(
      await store.ruleMoves.requestMove(EVERYTHING, { projectId: own, since: SINCE, userId: null, at: NOON }),
    ).toEqual({
      ok: false,
      reason: "running",
    });
    for (const issueId of issueIds) {
      expect(await work.nextIssue(moveId)).toBe(issueId);
      await work.noteIssue({ moveId, issueId });
    }
    expect(await work.nextIssue(moveId)).toBeNull();
    await work.endMove({ moveId, at: LATER });
    expect(await work.findOpenMove()).toBeNull();
    expect(await store.ruleMoves.listMoves(EVERYTHING, own)).toMatchObject([
      { id: moveId, issueCount: 2, doneIssueCount: 2, movedCount: 0, endedAt: LATER, undoAskedAt: null },
    ]);
    expect(await store.ruleMoves.listMoves(scopeOf(projectId), own)).toEqual([]);
    expect(await store.ruleMoves.undoMove(scopeOf(projectId), { moveId, userId: null, at: LATER })).toMatchObject({
      ok: false,
    });
    const old = await store.ruleMoves.requestMove(EVERYTHING, { projectId, since: SINCE, userId: null, at: LATER });
    expect(old).toMatchObject({ ok: true, move: { issueCount: 0 } });
    expect(await work.nextIssue(old.ok ? old.move.id : 0)).toBeNull();
  });

  test("undone, the issues that ended are there again, and the others are asked for their events", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const { projectId, issueIds, moveId } = await begin(store, ["a", "b"]);
    const [a = 0, b = 0] = issueIds;
    const before = await store.issues.getIssue(EVERYTHING, b);
    await moveTo(store, "a", { projectId, issueId: b, sequence: 1, moveId });
    expect(await store.issues.getIssue(EVERYTHING, b)).toMatchObject({ id: a, eventCount: 2 });
    expect(await store.issueMerges.listMerges(EVERYTHING, { projectId })).toMatchObject([
      { target: { issueId: a }, merged: { issueId: b }, undoneAt: null },
    ]);
    // As of a job that is killed, and does the issue again.
    await moveTo(store, "a", { projectId, issueId: b, sequence: 1, moveId });
    expect(await store.ruleMoves.listMoves(EVERYTHING, projectId)).toMatchObject([{ movedCount: 1 }]);
    await store.reprocessing.confirmEventMoves([{ projectId, eventId: occurrence(1, "b").eventId }]);
    await store.reprocessing.confirmMerges([b]);
    const undo = { moveId, userId: null, at: LATER };
    expect(await store.ruleMoves.undoMove(EVERYTHING, undo)).toMatchObject({ ok: true, move: { undoneAt: null } });
    expect(await store.ruleMoves.undoMove(EVERYTHING, undo)).toEqual({ ok: false, reason: "undone-before" });
    expect(await store.ruleMoveWork.findOpenMove()).toMatchObject({ id: moveId, isToBeUndone: true });
    await store.ruleMoveWork.revertMove({ moveId, at: LATER });
    expect(await store.ruleMoveWork.findOpenMove()).toBeNull();
    expect(await store.issues.getIssue(EVERYTHING, b)).toMatchObject({
      id: b,
      shortId: before?.shortId,
      eventCount: 0,
    });
    expect(await store.regroupingRequests.listRequests(10)).toMatchObject([{ issueId: a, byRules: false }]);
    expect(await apply(store, [occurrence(7, "b", { projectId })])).toMatchObject([{ issueId: b }]);
  });
}
