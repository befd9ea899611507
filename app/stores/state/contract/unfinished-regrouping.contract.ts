import { expect, test } from "vitest";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { RegroupedEvents } from "../../../domain/issues/regroup-events.ts";
import { HOUR_MS } from "../../../domain/time.ts";
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
} from "./fixture.ts";

function group(hash: string, events: IssueOccurrence[]): RegroupedEvents {
  const [first] = events;
  if (first === undefined) throw new Error("a group without events");
  return { hashes: [hash], grouping: groupingOf(hash), headline: first, events };
}

/** The issue of each occurrence; every hash makes one. */
async function issuesOf(store: State, occurrences: IssueOccurrence[]): Promise<number[]> {
  return (await apply(store, occurrences)).map(({ issueId }) => issueId);
}

/** Ends the issue of these events in the one that has the hash. */
async function join(store: State, fromIssueId: number, hash: string, events: IssueOccurrence[]): Promise<void> {
  const groups = [group(hash, events)];
  const { mergedInto } = await store.reprocessing.regroupEvents({ fromIssueId, at: NOON, groups, isComplete: true });
  expect(mergedInto).not.toBeNull();
}

async function feedOf(store: State, issueId: number): Promise<unknown[]> {
  return (await store.issues.listActivity(EVERYTHING, issueId)).map(({ kind, at, data }) => [
    kind,
    at - NOON,
    data.ofShortId,
  ]);
}

export function describeUnfinishedRegrouping(createDatabase: CreateStateDatabase): void {
  test("an issue that ended is to be swept until that is confirmed, also when the other one ends as well", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const projectId = await createProject(store, "web");
    const [a, b, c] = ["a", "b", "c"].map((hash, index) => occurrence(index, hash, { projectId }));
    if (!a || !b || !c) throw new Error("no events");
    const [, idB = 0, idC = 0] = await issuesOf(store, [a, b, c]);
    expect(await store.reprocessing.listUnfinishedMerges(10)).toEqual([]);
    await join(store, idC, "b", [c]);
    const unswept = [{ issueId: idC, projectId }];
    expect(await store.reprocessing.listUnfinishedMerges(10)).toEqual(unswept);
    // Another connection, as after a crash.
    const other = await database.connect();
    expect(await other.reprocessing.listUnfinishedMerges(10)).toEqual(unswept);
    await join(store, idB, "a", [b, c]);
    expect(await store.reprocessing.listUnfinishedMerges(10)).toEqual([{ issueId: idB, projectId }, ...unswept]);
    expect(await store.reprocessing.listUnfinishedMerges(1)).toHaveLength(1);
    expect(await store.reprocessing.confirmMerges([idC])).toBe(1);
    expect(await store.reprocessing.confirmMerges([idC, 4711])).toBe(0);
    expect(await other.reprocessing.listUnfinishedMerges(10)).toEqual([{ issueId: idB, projectId }]);
    expect(await store.reprocessing.confirmMerges([idB])).toBe(1);
    expect(await store.reprocessing.listUnfinishedMerges(10)).toEqual([]);
  });

  test("an issue of an event that was mapped late is known until it is forgotten, and no other", async () => {
    await using store = await openStore(createDatabase);
    const late = { isMappedLate: true };
    const [a = 0, b = 0] = await issuesOf(store, [
      occurrence(0, "a", late),
      occurrence(1, "b", late),
      occurrence(2, "c"),
      occurrence(3, "b", late),
    ]);
    const noted = [
      { issueId: a, notedCount: 1 },
      { issueId: b, notedCount: 2 },
    ];
    expect(await store.reprocessing.listLateIssues(10)).toEqual(noted);
    expect(await store.reprocessing.listLateIssues(1)).toEqual(noted.slice(0, 1));
    await apply(store, [occurrence(4, "b", late)]);
    // One more came than was known.
    expect(await store.reprocessing.forgetLateIssues(noted)).toBe(1);
    expect(await store.reprocessing.listLateIssues(10)).toEqual([{ issueId: b, notedCount: 3 }]);
    expect(await store.reprocessing.forgetLateIssues([{ issueId: b, notedCount: 3 }])).toBe(1);
    expect(await store.reprocessing.forgetLateIssues([{ issueId: b, notedCount: 3 }])).toBe(0);
    expect(await store.reprocessing.listLateIssues(10)).toEqual([]);
  });

  test("an event that is read again after a crash, and is late only then, is noted with the issue that it had", async () => {
    await using store = await openStore(createDatabase);
    const [issueId] = await issuesOf(store, [occurrence(0, "mapped")]);
    await apply(store, [occurrence(0, "raw", { isMappedLate: true })]);
    expect(await store.reprocessing.listLateIssues(10)).toEqual([{ issueId, notedCount: 1 }]);
  });

  test("of an issue that ended, the other one is late", async () => {
    await using store = await openStore(createDatabase);
    const late = { isMappedLate: true };
    const events = [occurrence(0, "a"), occurrence(1, "b", late), occurrence(2, "c", late)];
    const [a = 0, b = 0, c = 0] = await issuesOf(store, events);
    await join(store, b, "a", events.slice(1, 2));
    expect(await store.reprocessing.listLateIssues(10)).toEqual([
      { issueId: a, notedCount: 1 },
      { issueId: c, notedCount: 1 },
    ]);
    await join(store, c, "a", events.slice(2));
    expect((await store.reprocessing.listLateIssues(10)).map(({ issueId }) => issueId)).toEqual([a]);
  });

  test("an issue is first seen once, and what happened to one that ended in it bears that one's name", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "web");
    const events = [
      occurrence(0, "a", { projectId, at: NOON + HOUR_MS }),
      occurrence(1, "b", { projectId, at: NOON + 2 * HOUR_MS }),
      occurrence(2, "c", { projectId, at: NOON }),
    ];
    const [a = 0, b = 0, c = 0] = await issuesOf(store, events);
    const by = { userId: null, at: NOON + 3 * HOUR_MS };
    await store.issues.changeIssueStatus(EVERYTHING, { issueIds: [a], status: "archived", ...by });
    await store.issues.changeIssueStatus(EVERYTHING, { issueIds: [c], status: "resolved", ...by });
    await join(store, c, "b", events.slice(2));
    expect(await feedOf(store, b)).toEqual([
      ["joined", 0, undefined],
      ["resolved", 3 * HOUR_MS, "WEB-3"],
      ["first_seen", 0, undefined],
    ]);
    await join(store, b, "a", events.slice(1));
    expect(await feedOf(store, a)).toEqual([
      ["joined", 0, undefined],
      ["joined", 0, "WEB-2"],
      ["resolved", 3 * HOUR_MS, "WEB-3"],
      ["archived", 3 * HOUR_MS, undefined],
      ["first_seen", 0, undefined],
    ]);
    expect((await store.issues.listActivity(EVERYTHING, a)).at(-1)?.data).toEqual({ eventId: events[2]?.eventId });
  });
}
