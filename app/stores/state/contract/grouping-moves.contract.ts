import { expect, test } from "vitest";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  groupingOf,
  JOURNAL,
  NOON,
  occurrence,
  query,
} from "./fixture.ts";

const LATER = NOON + DAY_MS;

/** An event of a project that moves over: its key of version 2, and the one that version 1 gave it. */
function moving(
  sequence: number,
  key: string,
  earlierKey: string,
  change: Partial<IssueOccurrence> & { at?: number; isVague?: boolean } = {},
): IssueOccurrence {
  const { isVague = false, ...fields } = change;
  return occurrence(sequence, key, { at: LATER, earlier: { hashes: [earlierKey], isVague }, ...fields });
}

async function issueIdsOf(store: State, occurrences: IssueOccurrence[]): Promise<number[]> {
  return (await apply(store, occurrences)).map(({ issueId }) => issueId);
}

async function feedOf(store: State, issueId: number): Promise<unknown[]> {
  return (await store.issues.listActivity(EVERYTHING, issueId)).map(({ kind, data }) => [kind, data]);
}

export function describeGroupingMoves(createDatabase: CreateStateDatabase): void {
  test("an old issue keeps its id, its short id and what people decided, and gets the new key alone", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [before] = await issueIdsOf(store, [occurrence(0, "v1")]);
    const issueId = before ?? 0;
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "archived",
      userId: null,
      at: NOON,
    });
    expect(await issueIdsOf(store, [moving(1, "v2", "v1"), moving(2, "v2", "v1")])).toEqual([issueId, issueId]);
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ status: "archived", eventCount: 3 });
    expect((await store.issues.listIssueHashes(EVERYTHING, issueId)).map(({ hash }) => hash)).toEqual(["v1", "v2"]);
    // Once the project has moved over, the new key is enough.
    expect(await issueIdsOf(store, [occurrence(3, "v2", { at: LATER })])).toEqual([issueId]);
    expect((await store.issues.listIssues(...query())).issues).toHaveLength(1);
  });

  test("events that version 2 tells apart stay in the old issue, and without one they become two issues", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [old] = await issueIdsOf(store, [occurrence(0, "v1")]);
    expect(await issueIdsOf(store, [moving(1, "v2-a", "v1"), moving(2, "v2-b", "v1")])).toEqual([old, old]);
    const [a, b] = await issueIdsOf(store, [moving(3, "v2-c", "v1-new"), moving(4, "v2-d", "v1-new")]);
    expect(a).not.toBe(b);
  });

  test("where two old issues are one now, both say it, once", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [first = 0, second = 0] = await issueIdsOf(store, [occurrence(0, "v1-a"), occurrence(1, "v1-b")]);
    const [one, other] = await store.issues.getIssues(EVERYTHING, [first, second]);
    const events = (from: number) => [
      moving(from, "v2", "v1-a"),
      moving(from + 1, "v2", "v1-b"),
      moving(from + 2, "v2", "v1-b"),
    ];
    expect(await issueIdsOf(store, events(2))).toEqual([first, first, first]);
    expect(await issueIdsOf(store, events(5))).toEqual([first, first, first]);
    expect((await feedOf(store, second)).slice(0, -1)).toEqual([
      ["moved_away", { issueId: first, shortId: one?.shortId, groupingVersion: 2 }],
    ]);
    expect((await feedOf(store, first)).slice(0, -1)).toEqual([
      ["joined", { issueId: second, shortId: other?.shortId, groupingVersion: 2 }],
    ]);
    expect(await store.issues.getIssue(EVERYTHING, second)).toMatchObject({ status: "unresolved", eventCount: 1 });
  });

  test("a vague key pulls no new kind into its issue, and the issue says where they go, twenty times at most", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [nameless = 0] = await issueIdsOf(store, [occurrence(0, "v1")]);
    const kinds = Array.from({ length: 25 }, (_, index) => moving(index + 1, `v2-${index}`, "v1", { isVague: true }));
    const issueIds = await issueIdsOf(store, kinds);
    expect(new Set(issueIds).size).toBe(25);
    expect(issueIds).not.toContain(nameless);
    expect(await issueIdsOf(store, [moving(30, "v2-3", "v1", { isVague: true })])).toEqual([issueIds[3]]);
    const moves = (await store.issues.listActivity(EVERYTHING, nameless)).filter(({ kind }) => kind === "moved_away");
    expect(moves).toHaveLength(20);
  });

  test("a batch that is read again gives every event the issue it had", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await apply(store, [occurrence(0, "v1")]);
    const batch = {
      journalId: JOURNAL,
      upTo: 3,
      occurrences: [moving(1, "v2", "v1"), moving(2, "v2-b", "v1")],
      outcomes: [],
    };
    const before = await store.batches.applyBatch(batch);
    const again = await store.batches.applyBatch(batch);
    expect(again.map(({ issueId }) => issueId)).toEqual(before.map(({ issueId }) => issueId));
  });

  test("events of a deleted issue that came before are known by their old key", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [issueId = 0] = await issueIdsOf(store, [occurrence(0, "v1")]);
    await store.deletions.deleteIssues(EVERYTHING, { issueIds: [issueId], at: LATER + 1, userId: null });
    expect(await issueIdsOf(store, [moving(1, "v2", "v1")])).toEqual([issueId]);
    expect((await store.issues.listIssues(...query())).issues).toEqual([]);
  });

  test("reprocessing finds the old issue by its old key as well", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const events = [occurrence(0, "v1"), occurrence(1, "v1")];
    const [issueId = 0] = await issueIdsOf(store, events);
    const { title, type, value, culprit, level, platform, logger, isUnhandled } = events[0] as IssueOccurrence;
    const result = await store.reprocessing.regroupEvents({
      fromIssueId: issueId,
      at: LATER,
      groups: [
        {
          hashes: ["v2"],
          earlier: { hashes: ["v1"], isVague: false },
          grouping: groupingOf("v2"),
          headline: { title, type, value, culprit, level, platform, logger, isUnhandled },
          events,
        },
      ],
      isComplete: true,
    });
    expect(result.mergedInto).toBeNull();
    expect(result.events.map((event) => event.issueId)).toEqual([issueId, issueId]);
    expect((await store.issues.listIssueHashes(EVERYTHING, issueId)).map(({ hash }) => hash)).toEqual(["v1", "v2"]);
  });
}
