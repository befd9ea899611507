import { expect, test } from "vitest";
import type { UnsettledEvents } from "../../../domain/issues/unsettled-events.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  groupingOf,
  NOON,
  occurrence,
  openStore,
  scopeOf,
} from "./fixture.ts";

const BY = { userId: null, at: NOON + 10 };

/** Issues of these hashes, two events each. */
async function issuesOf(store: State, hashes: readonly string[], projectId = 1): Promise<number[]> {
  const events = hashes.flatMap((hash, index) =>
    [0, 1].map((nth) => occurrence(index * 2 + nth, hash, { projectId, userKey: "id:7" })),
  );
  const assigned = await apply(store, events);
  return hashes.map((_, index) => assigned[index * 2]?.issueId ?? 0);
}

const listUnsettled = (store: State, issueId: number) => store.issues.listUnsettled(EVERYTHING, issueId);
const shortIdOf = async (store: State, issueId: number) =>
  (await store.issues.getIssue(EVERYTHING, issueId))?.shortId ?? "";
const coming = (...shortIds: string[]): UnsettledEvents => ({ kind: "coming", shortIds });
const leaving = (...shortIds: string[]): UnsettledEvents => ({ kind: "leaving", shortIds, lookedAtCount: 0 });

/** What the job does when it has followed a request. */
async function endRequests(store: State, ...issueIds: number[]): Promise<void> {
  const requests = await store.regroupingRequests.listRequests(10);
  for (const request of requests.filter(({ issueId }) => issueIds.includes(issueId)))
    await store.regroupingRequests.endRequest(request);
}

/** Merges, and notes that the event store knows of it. Gives the id of the merge. */
async function merge(store: State, targetId: number, issueId: number, options?: { isOnce: boolean }): Promise<number> {
  const merged = await store.issueMerges.mergeIssues(EVERYTHING, {
    targetId,
    issueIds: [issueId],
    name: null,
    ...BY,
    ...options,
  });
  await store.reprocessing.confirmMerges([issueId]);
  return merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
}

async function regroup(store: State, fromIssueId: number, hash: string, sequence: number, change = {}) {
  const event = occurrence(sequence, hash, change);
  const group = { hashes: [hash], grouping: event.grouping, headline: event, events: [event] };
  return await store.reprocessing.regroupEvents({
    fromIssueId,
    at: NOON,
    groups: [group],
    byRules: { cause: "split", mayEnd: false },
  });
}

export function describeUnsettledEvents(createDatabase: CreateStateDatabase): void {
  test("an issue waits for the events of one that ended in it", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0, b = 0] = await issuesOf(store, ["a", "b"]);
    const shortId = await shortIdOf(store, b);
    expect(await listUnsettled(store, a)).toEqual([]);
    await store.issueMerges.mergeIssues(EVERYTHING, { targetId: a, issueIds: [b], name: null, ...BY });
    expect(await listUnsettled(store, a)).toEqual([coming(shortId)]);
    expect(await store.issues.listUnsettled(scopeOf(2), a)).toEqual([]);
    await store.reprocessing.confirmMerges([b]);
    expect(await listUnsettled(store, a)).toEqual([]);
  });

  test("a merge that is undone is on its way in both issues until the job has followed it", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0, b = 0, c = 0] = await issuesOf(store, ["a", "b", "c"]);
    const mergeId = await merge(store, a, b);
    await store.issueMerges.undoMerge(EVERYTHING, { mergeId, ...BY });
    const [shortA, shortB] = [await shortIdOf(store, a), await shortIdOf(store, b)];
    expect(await listUnsettled(store, a)).toEqual([leaving(shortB)]);
    expect(await listUnsettled(store, b)).toEqual([coming(shortA)]);
    expect(await listUnsettled(store, c)).toEqual([]);
    expect(await store.issues.listUnsettled(scopeOf(2), b)).toEqual([]);

    // Asked again while the job was at it: it comes once more.
    const [request] = await store.regroupingRequests.listRequests(10);
    const again = await merge(store, a, c);
    await store.issueMerges.undoMerge(EVERYTHING, { mergeId: again, ...BY });
    if (request) await store.regroupingRequests.endRequest(request);
    expect(await listUnsettled(store, b)).toEqual([coming(shortA)]);
    await endRequests(store, a);
    for (const issueId of [a, b, c]) expect(await listUnsettled(store, issueId)).toEqual([]);
  });

  test("with a merge without a rule, the undo waits for the issue that came of later events, too", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0, b = 0] = await issuesOf(store, ["a", "b"]);
    const mergeId = await merge(store, a, b, { isOnce: true });
    const [later] = await apply(store, [occurrence(9, "b")]);
    const laterId = later?.issueId ?? 0;
    await store.issueMerges.undoMerge(EVERYTHING, { mergeId, ...BY });
    const [shortA, shortB, shortLater] = [
      await shortIdOf(store, a),
      await shortIdOf(store, b),
      await shortIdOf(store, laterId),
    ];
    expect(await listUnsettled(store, b)).toEqual([coming(shortA, shortLater)]);
    expect(await listUnsettled(store, laterId)).toEqual([leaving(shortB)]);
    await endRequests(store, a);
    expect(await listUnsettled(store, b)).toEqual([coming(shortLater)]);
    await endRequests(store, laterId);
    expect(await listUnsettled(store, b)).toEqual([]);
  });

  test("an issue that is split says so, and so does each that comes of it; undone, it waits for their events", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "split");
    const [a = 0] = await issuesOf(store, ["a"], projectId);
    const made = await store.issueSplits.splitIssue(EVERYTHING, { issueId: a, variable: "tags.x", name: "x", ...BY });
    const splitId = made.ok ? made.split.id : 0;
    expect(await listUnsettled(store, a)).toEqual([leaving()]);
    const [request] = await store.regroupingRequests.listRequests(10);
    if (request) await store.regroupingRequests.noteProgress({ ...request, doneCount: 200 });
    const ruling = { split: { id: splitId, name: "x", variable: "tags.x", value: "Nord", rest: "a" } };
    const ofSplit = { projectId, grouping: { ...groupingOf("nord"), ruling } };
    const nord = (await regroup(store, a, "nord", 0, ofSplit)).issues[0]?.issueId ?? 0;
    const [shortA, shortNord] = [await shortIdOf(store, a), await shortIdOf(store, nord)];
    expect(await listUnsettled(store, a)).toEqual([{ kind: "leaving", shortIds: [shortNord], lookedAtCount: 200 }]);
    expect(await listUnsettled(store, nord)).toEqual([coming(shortA)]);
    await endRequests(store, a);
    for (const issueId of [a, nord]) expect(await listUnsettled(store, issueId)).toEqual([]);

    await store.issueSplits.undoSplit(EVERYTHING, { splitId, ...BY });
    expect(await listUnsettled(store, a)).toEqual([coming(shortNord)]);
    expect(await listUnsettled(store, nord)).toEqual([leaving(shortA)]);
    await endRequests(store, a);
    for (const issueId of [a, nord]) expect(await listUnsettled(store, issueId)).toEqual([]);
  });

  test("events that were on their way to an issue go on to the one that it ends in", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0, b = 0, c = 0] = await issuesOf(store, ["a", "b", "c"]);
    const mergeId = await merge(store, a, b);
    await store.issueMerges.undoMerge(EVERYTHING, { mergeId, ...BY });
    await merge(store, c, b);
    const [shortA, shortC] = [await shortIdOf(store, a), await shortIdOf(store, c)];
    expect(await listUnsettled(store, a)).toEqual([leaving(shortC)]);
    expect(await listUnsettled(store, c)).toEqual([coming(shortA)]);
    // An issue that ends takes along what it was asked for.
    await merge(store, c, a);
    expect(await store.regroupingRequests.listRequests(10)).toMatchObject([{ issueId: c }]);
    expect(await listUnsettled(store, c)).not.toEqual([]);
    await endRequests(store, c);
    expect(await listUnsettled(store, c)).toEqual([]);
  });

  test("an issue that ends while it has a request adds it to the one of its target, which is followed from the start", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0, b = 0, c = 0, d = 0] = await issuesOf(store, ["a", "b", "c", "d"]);
    for (const [target, issue] of [
      [a, b],
      [c, d],
    ] as const) {
      const mergeId = await merge(store, target, issue);
      await store.issueMerges.undoMerge(EVERYTHING, { mergeId, ...BY });
    }
    const begun = (await store.regroupingRequests.listRequests(10)).find(({ issueId }) => issueId === c);
    await merge(store, c, a);
    const [shortB, shortC, shortD] = await Promise.all([b, c, d].map((issueId) => shortIdOf(store, issueId)));
    expect(await listUnsettled(store, c)).toEqual([leaving(shortB ?? "", shortD ?? "")]);
    expect(await listUnsettled(store, b)).toEqual([coming(shortC ?? "")]);
    // The job had read the events of the target before those of the other issue were among them.
    if (begun) await store.regroupingRequests.endRequest(begun);
    expect(await store.regroupingRequests.listRequests(10)).toMatchObject([{ issueId: c }]);
    expect(await listUnsettled(store, b)).toEqual([coming(shortC ?? "")]);
    await endRequests(store, c);
    for (const issueId of [b, c, d]) expect(await listUnsettled(store, issueId)).toEqual([]);
  });

  test("a move of stored events that is being undone concerns the issues that got events by it", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "moved");
    const [a = 0, b = 0] = await issuesOf(store, ["a", "b"], projectId);
    const asked = await store.ruleMoves.requestMove(EVERYTHING, { projectId, since: NOON - 1, ...BY });
    const moveId = asked.ok ? asked.move.id : 0;
    const event = occurrence(2, "a", { projectId });
    await store.reprocessing.regroupEvents({
      fromIssueId: b,
      at: NOON,
      groups: [{ hashes: ["a"], grouping: event.grouping, headline: event, events: [event] }],
      byRules: { cause: "rules", mayEnd: true, move: { id: moveId, userId: null } },
    });
    await store.ruleMoveWork.endMove({ moveId, at: NOON });
    for (const issueId of [a, b]) expect(await listUnsettled(store, issueId)).toEqual([]);
    await store.ruleMoves.undoMove(EVERYTHING, { moveId, ...BY });
    expect(await listUnsettled(store, a)).toEqual([leaving()]);
    await store.ruleMoveWork.revertMove({ moveId, at: NOON });
    expect(await listUnsettled(store, a)).toEqual([leaving()]);
    await endRequests(store, a);
    expect(await listUnsettled(store, a)).toEqual([]);
  });

  test("an event that is deleted is unsettled until nobody can see it, also in the issue that its own ended in", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0, b = 0, c = 0] = await issuesOf(store, ["a", "b", "c"]);
    const { eventId } = occurrence(0, "a");
    const request = { projectId: 1, eventIds: [eventId], issueId: a, label: "x", ...BY };
    await store.deletions.deleteEvents(EVERYTHING, request);
    expect(await listUnsettled(store, a)).toEqual([{ kind: "deleted" }]);
    expect(await listUnsettled(store, b)).toEqual([]);
    expect(await store.issues.listUnsettled(scopeOf(2), a)).toEqual([]);
    await merge(store, c, a);
    expect(await listUnsettled(store, c)).toEqual([{ kind: "deleted" }]);
    const [open] = await store.deletionWork.listOpen(10);
    await store.deletionWork.setPhase(open?.id ?? 0, "hidden");
    expect(await listUnsettled(store, c)).toEqual([]);
  });

  test("issues that count a user whose data is deleted are unsettled until they are looked at", async () => {
    await using store = await openStore(createDatabase);
    const [a = 0] = await issuesOf(store, ["a"]);
    const user = { field: "id", value: "7" } as const;
    const id = await store.deletions.deleteUser(EVERYTHING, { ...BY, user, label: "x" });
    expect(await listUnsettled(store, a)).toEqual([]);
    const scan = { round: "first", table: "events", after: 0, lateFrom: 0, doneRows: 0, totalRows: 9 } as const;
    await store.deletionWork.saveScan(id, scan, { projectIds: [1], userKeys: ["id:7"] });
    expect(await listUnsettled(store, a)).toEqual([{ kind: "deleted" }]);
    const [touched] = await store.deletionWork.listTouched(id, 10);
    if (touched === undefined) throw new Error("nothing was touched");
    await store.deletionWork.settleTouched(id, { ...touched, goneUserKeys: [], isEmpty: false });
    expect(await listUnsettled(store, a)).toEqual([]);
  });
}
