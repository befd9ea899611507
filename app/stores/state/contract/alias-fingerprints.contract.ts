import { expect, test } from "vitest";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  groupingOf,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  query,
  setStatus,
} from "./fixture.ts";

/** An error of a browser: `leave` and `seek` as the names of keys. */
function browserError(
  sequence: number,
  hash: string,
  { leave = [], seek = [] }: { leave?: string[]; seek?: string[] },
  change: Partial<IssueOccurrence> = {},
): IssueOccurrence {
  return occurrence(sequence, hash, { kin: { leave, seek }, ...change });
}

async function issueIdsOf(store: State, occurrences: IssueOccurrence[]): Promise<number[]> {
  return (await apply(store, occurrences)).map(({ issueId }) => issueId);
}

export function describeAliasFingerprints(createDatabase: CreateStateDatabase): void {
  test("an event none of whose hashes is known joins the issue that left a key it seeks, and brings its hashes", async () => {
    await using store = await openStore(createDatabase);
    const [chrome] = await apply(store, [browserError(0, "chrome", { leave: ["k"] })]);
    const [safari] = await apply(store, [
      browserError(1, "safari", { seek: ["k"] }, { hashes: ["safari", "safari-all"] }),
    ]);
    expect(safari).toEqual({ issueId: chrome?.issueId, transition: null });
    expect(await store.issues.listIssueHashes(EVERYTHING, chrome?.issueId ?? 0)).toEqual([
      { hash: "chrome", grouping: groupingOf("chrome"), firstSeenAt: NOON, isFoundByAlias: false },
      { hash: "safari", grouping: groupingOf("safari"), firstSeenAt: NOON, isFoundByAlias: true },
      { hash: "safari-all", grouping: groupingOf("safari"), firstSeenAt: NOON, isFoundByAlias: true },
    ]);
    // From now on its hashes do without the key.
    expect(await issueIdsOf(store, [occurrence(2, "safari"), occurrence(3, "safari-all")])).toEqual([
      chrome?.issueId,
      chrome?.issueId,
    ]);
    expect((await store.issues.getIssue(EVERYTHING, chrome?.issueId ?? 0))?.eventCount).toBe(4);
  });

  test("two events of one batch find each other, whichever comes first", async () => {
    await using store = await openStore(createDatabase);
    const assignments = await apply(store, [
      browserError(0, "chrome", { leave: ["left-by-chrome"], seek: ["left-by-safari"] }),
      browserError(1, "safari", { leave: ["left-by-safari"], seek: ["left-by-chrome"] }),
      browserError(2, "safari-2", { leave: ["left-by-safari-2"], seek: ["left-by-chrome-2"] }),
      browserError(3, "chrome-2", { leave: ["left-by-chrome-2"], seek: ["left-by-safari-2"] }),
    ]);
    expect(assignments.map(({ transition }) => transition)).toEqual(["new", null, "new", null]);
    expect(assignments[1]?.issueId).toBe(assignments[0]?.issueId);
    expect(assignments[3]?.issueId).toBe(assignments[2]?.issueId);
    expect(assignments[2]?.issueId).not.toBe(assignments[0]?.issueId);
  });

  test("a known hash decides before any key", async () => {
    await using store = await openStore(createDatabase);
    const [left, known] = await issueIdsOf(store, [
      browserError(0, "left", { leave: ["k"] }),
      browserError(1, "known", {}),
    ]);
    expect(await issueIdsOf(store, [browserError(2, "known", { seek: ["k"] })])).toEqual([known]);
    expect(await issueIdsOf(store, [browserError(3, "new", { seek: ["k"] }, { hashes: ["new", "known"] })])).toEqual([
      known,
    ]);
    expect(await issueIdsOf(store, [browserError(4, "newer", { seek: ["k"] })])).toEqual([left]);
  });

  test("keys are sought in their order", async () => {
    await using store = await openStore(createDatabase);
    const [a, b] = await issueIdsOf(store, [
      browserError(0, "a", { leave: ["ka"] }),
      browserError(1, "b", { leave: ["kb"] }),
    ]);
    expect(
      await issueIdsOf(store, [
        browserError(2, "c", { seek: ["nobody", "kb", "ka"] }),
        browserError(3, "d", { seek: ["ka", "kb"] }),
      ]),
    ).toEqual([b, a]);
  });

  test("a key sought early goes before a later one, wherever each was left", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [browserError(0, "stored", { leave: ["k-stored"] })]);
    const [ofBatch, seeker] = await issueIdsOf(store, [
      browserError(1, "of-batch", { leave: ["k-of-batch"] }),
      browserError(2, "seeker", { seek: ["k-of-batch", "k-stored"] }),
    ]);
    expect(seeker).toBe(ofBatch);
  });

  test("the first issue that leaves a key keeps it, in one batch and across batches", async () => {
    await using store = await openStore(createDatabase);
    const [first] = await issueIdsOf(store, [
      browserError(0, "a", { leave: ["k"] }),
      browserError(1, "b", { leave: ["k"] }),
    ]);
    expect(
      await issueIdsOf(store, [browserError(2, "c", { leave: ["k"] }), browserError(3, "x", { seek: ["k"] })]),
    ).toEqual([expect.any(Number), first]);
    expect(await issueIdsOf(store, [browserError(4, "y", { seek: ["k"] })])).toEqual([first]);
  });

  test("of two issues in a batch, the one whose event left a key earlier keeps it, though the other began earlier", async () => {
    await using store = await openStore(createDatabase);
    const [, second] = await issueIdsOf(store, [
      browserError(0, "a", {}),
      browserError(1, "b", { leave: ["k"] }),
      browserError(2, "a-2", { leave: ["k"] }, { hashes: ["a-2", "a"] }),
    ]);
    expect(await issueIdsOf(store, [browserError(3, "x", { seek: ["k"] })])).toEqual([second]);
  });

  test("keys are left only with a new main hash", async () => {
    await using store = await openStore(createDatabase);
    const [a] = await issueIdsOf(store, [
      browserError(0, "a", {}),
      browserError(1, "a", { leave: ["k1"] }),
      browserError(2, "a", { leave: ["k2"] }, { hashes: ["a", "second"] }),
      browserError(3, "main", { leave: ["k3"] }, { hashes: ["main", "a"] }),
    ]);
    const [one, two, three] = await issueIdsOf(store, [
      browserError(4, "x", { seek: ["k1"] }),
      browserError(5, "y", { seek: ["k2"] }),
      browserError(6, "z", { seek: ["k3"] }),
    ]);
    expect(one).not.toBe(a);
    expect(two).not.toBe(a);
    expect(three).toBe(a);
  });

  test("an event that joined by a key leaves its own for a third engine", async () => {
    await using store = await openStore(createDatabase);
    const ids = await issueIdsOf(store, [
      browserError(0, "chrome", { leave: ["c"] }),
      browserError(1, "safari", { seek: ["c"], leave: ["s"] }),
    ]);
    expect(await issueIdsOf(store, [browserError(2, "firefox", { seek: ["s"] })])).toEqual([ids[0]]);
  });

  test("a key is no hash, a hash is no key, and no event finds a key that it leaves itself", async () => {
    await using store = await openStore(createDatabase);
    const ids = await issueIdsOf(store, [
      browserError(0, "a", { leave: ["k"], seek: ["k"] }),
      occurrence(1, "k"),
      browserError(2, "b", { seek: ["a"] }),
    ]);
    expect(new Set(ids).size).toBe(3);
  });

  test("keys of one project are not found from another", async () => {
    await using store = await openStore(createDatabase);
    const ids = await issueIdsOf(store, [
      browserError(0, "a", { leave: ["k"] }, { projectId: 1 }),
      browserError(1, "b", { seek: ["k"] }, { projectId: 2 }),
    ]);
    ids.push(...(await issueIdsOf(store, [browserError(2, "c", { seek: ["k"] }, { projectId: 2 })])));
    expect(new Set(ids).size).toBe(3);
  });

  test("an issue that was resolved comes back with the report of another engine", async () => {
    await using store = await openStore(createDatabase);
    const [chrome] = await apply(store, [browserError(0, "chrome", { leave: ["k"] })]);
    const issueId = chrome?.issueId ?? 0;
    await setStatus(store, [issueId], "resolved", NOON + 1);
    expect(
      await apply(store, [browserError(1, "safari", { seek: ["k"] }, { occurredAt: NOON + 2, receivedAt: NOON + 2 })]),
    ).toEqual([{ issueId, transition: "regressed" }]);
  });

  const STREAM = [
    browserError(0, "a", {}),
    browserError(1, "b", { leave: ["k", "l"], seek: ["m"] }),
    browserError(2, "a-2", { leave: ["k", "n"], seek: [] }, { hashes: ["a-2", "a"] }),
    browserError(3, "c", { leave: ["m"], seek: ["n", "k"] }),
    browserError(4, "d", { leave: ["o"], seek: ["k"] }),
    browserError(5, "e", { seek: ["o", "m"] }),
    browserError(6, "f", { seek: ["m"] }),
    browserError(7, "g", { seek: ["nobody"], leave: ["l"] }),
    browserError(8, "h", { seek: ["l"] }),
  ];

  test.each([1, 2, 3, 4])("the issues are the same in batches of %i as in one", async (size) => {
    await using inOne = await createDatabase();
    const expected = await issueIdsOf(await inOne.connect(), STREAM);
    await using cut = await createDatabase();
    const store = await cut.connect();
    const ids: number[] = [];
    for (let from = 0; from < STREAM.length; from += size) {
      ids.push(...(await issueIdsOf(store, STREAM.slice(from, from + size))));
    }
    expect(ids).toEqual(expected);
  });

  test("a replay gives the same issues and changes nothing, whole or with new records behind it", async () => {
    await using store = await openStore(createDatabase);
    const ids = await issueIdsOf(store, STREAM.slice(0, 6));
    const state = await store.issues.listIssues(...query());
    expect(await apply(store, STREAM.slice(0, 6))).toEqual(ids.map((issueId) => ({ issueId, transition: null })));
    expect(await store.issues.listIssues(...query())).toEqual(state);
    const again = await store.batches.applyBatch({
      journalId: JOURNAL,
      upTo: STREAM.length,
      occurrences: STREAM.slice(2),
      outcomes: [],
    });
    await using inOne = await createDatabase();
    const expected = await issueIdsOf(await inOne.connect(), STREAM);
    expect(again.map(({ issueId }) => issueId)).toEqual(expected.slice(2));
  });
}
