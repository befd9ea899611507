import { expect, test } from "vitest";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  query,
  scopeOf,
} from "./fixture.ts";

/** The same record, which is grouped differently now. */
function regrouped(sequence: number, hash: string, change: Partial<IssueOccurrence> = {}): IssueOccurrence {
  return occurrence(sequence, hash, { eventId: occurrence(sequence, "").eventId, ...change });
}

export function describeSameAssignment(createDatabase: CreateStateDatabase): void {
  test("records of the last batch get the issues they were counted in, though they have other hashes now", async () => {
    await using store = await openStore(createDatabase);
    const first = await apply(store, [occurrence(0, "a"), occurrence(1, "b"), occurrence(2, "a")]);
    const state = await store.issues.listIssues(...query());
    const again = await apply(store, [regrouped(0, "x"), regrouped(1, "a"), regrouped(2, "y")]);
    expect(again).toEqual(first.map(({ issueId }) => ({ issueId, transition: null })));
    expect(await store.issues.listIssues(...query())).toEqual(state);
    expect(await store.issues.listIssueHashes(EVERYTHING, first[0]?.issueId ?? 0)).toHaveLength(1);
  });

  test("so do those of a longer batch, whose new records are counted", async () => {
    await using store = await openStore(createDatabase);
    const [a] = await apply(store, [occurrence(0, "a"), occurrence(1, "a")]);
    const [, again, added] = await apply(store, [regrouped(0, "x"), regrouped(1, "x"), occurrence(2, "x")]);
    expect(again?.issueId).toBe(a?.issueId);
    expect(added?.transition).toBe("new");
    // The event store may have none of these three yet: all must come out the same again.
    const third = await apply(store, [regrouped(0, "y"), regrouped(1, "x"), regrouped(2, "a"), occurrence(3, "a")]);
    expect(third.map(({ issueId }) => issueId)).toEqual([a?.issueId, a?.issueId, added?.issueId, a?.issueId]);
  });

  test("a shorter batch takes nothing away from those that come after it", async () => {
    await using store = await openStore(createDatabase);
    const first = await apply(store, [occurrence(0, "a"), occurrence(1, "b"), occurrence(2, "c")]);
    await apply(store, [regrouped(0, "x")]);
    const rest = await apply(store, [regrouped(1, "x"), regrouped(2, "a")]);
    expect(rest.map(({ issueId }) => issueId)).toEqual(first.slice(1).map(({ issueId }) => issueId));
  });

  test("two events of one record are told apart by their ids, and journals by theirs", async () => {
    await using store = await openStore(createDatabase);
    const [first, second] = await apply(store, [
      occurrence(0, "a", { eventId: "a".repeat(32) }),
      occurrence(0, "b", { eventId: "b".repeat(32) }),
    ]);
    const swapped = await apply(store, [
      occurrence(0, "a", { eventId: "b".repeat(32) }),
      occurrence(0, "b", { eventId: "a".repeat(32) }),
    ]);
    expect(swapped.map(({ issueId }) => issueId)).toEqual([second?.issueId, first?.issueId]);
    const elsewhere = await store.batches.applyBatch({
      journalId: `${JOURNAL}-other`,
      upTo: 1,
      occurrences: [occurrence(0, "b", { eventId: "a".repeat(32) })],
      outcomes: [],
    });
    expect(elsewhere[0]?.issueId).toBe(second?.issueId);
  });

  test("so do those of earlier batches that the event store may lack", async () => {
    await using store = await openStore(createDatabase);
    const applyOne = (sequence: number, hash: string, storedUpTo: number) =>
      store.batches.applyBatch({
        journalId: JOURNAL,
        upTo: sequence + 1,
        storedUpTo,
        occurrences: [occurrence(sequence, hash)],
        outcomes: [],
      });
    const first = [...(await applyOne(0, "a", 0)), ...(await applyOne(1, "b", 0)), ...(await applyOne(2, "c", 1))];
    const again = await apply(store, [regrouped(0, "c"), regrouped(1, "a"), regrouped(2, "b")]);
    // The first is stored since the third was applied: it is looked up by its hash.
    expect(again.map(({ issueId }) => issueId)).toEqual([first[2], first[1], first[2]].map((each) => each?.issueId));
  });

  test("records of earlier batches are looked up by hash", async () => {
    await using store = await openStore(createDatabase);
    const [a, b] = await apply(store, [occurrence(0, "a"), occurrence(1, "b")]);
    await apply(store, [occurrence(2, "a")]);
    const again = await apply(store, [regrouped(0, "b"), regrouped(1, "a")]);
    expect(again.map(({ issueId }) => issueId)).toEqual([b?.issueId, a?.issueId]);
  });

  test("sequences beyond 2^32, far apart, come out right", async () => {
    await using store = await openStore(createDatabase);
    const base = 2 ** 40;
    const first = await apply(store, [occurrence(base, "a"), occurrence(base + 3_000_000_000, "b")]);
    const again = await apply(store, [regrouped(base, "b"), regrouped(base + 3_000_000_000, "a")]);
    expect(again.map(({ issueId }) => issueId)).toEqual(first.map(({ issueId }) => issueId));
  });

  test("nothing of a record that is applied again is counted, by release or wanted map either", async () => {
    await using store = await openStore(createDatabase);
    const missingSourceMaps = [
      {
        type: "source_map" as const,
        debugId: "d",
        release: null,
        dist: null,
        sampleUrl: "https://example.com/a.js",
        isForeign: false,
      },
    ];
    await apply(store, [occurrence(0, "a", { release: "1", missingSourceMaps })]);
    await apply(store, [regrouped(0, "x", { release: "1", missingSourceMaps, at: NOON + 1 } as object)]);
    expect((await store.releases.getRelease(EVERYTHING, "1"))?.projects[0]?.eventCount).toBe(1);
    expect((await store.artifacts.listMissingSourceMaps(scopeOf(1), {}))[0]?.eventCount).toBe(1);
  });
}
