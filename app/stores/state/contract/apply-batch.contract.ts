import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  groupingOf,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  outcome,
  query,
  scopeOf,
} from "./fixture.ts";

async function acceptedTotal(store: State): Promise<number> {
  const sums = await store.outcomes.sumOutcomes(EVERYTHING, {
    from: NOON - DAY_MS,
    to: NOON + DAY_MS,
    bucketMs: null,
    groupBy: [],
  });
  return sums[0]?.quantity ?? 0;
}

export function describeApplyBatch(createDatabase: CreateStateDatabase): void {
  test("a journal never seen is applied up to 0", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.batches.appliedSequence(JOURNAL)).toBe(0);
  });

  test("the first event of a hash makes an issue with what the event says", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const projectId = await createProject(store, "web");
    const [assignment] = await apply(store, [
      occurrence(0, "a", { projectId, logger: "http", isUnhandled: true, level: "fatal", userKey: "id:1" }),
    ]);
    expect(assignment).toEqual({ issueId: expect.any(Number), transition: "new" });
    expect(await store.issues.getIssue(EVERYTHING, assignment?.issueId ?? 0)).toEqual({
      id: assignment?.issueId,
      shortId: "WEB-1",
      projectId,
      title: "Error of a",
      type: "Error",
      value: "value of a",
      culprit: "app/a.ts in run",
      level: "fatal",
      platform: "node",
      logger: "http",
      isUnhandled: true,
      status: "unresolved",
      substatus: "new",
      statusChangedAt: NOON,
      resolution: null,
      archive: null,
      firstSeenAt: NOON,
      lastSeenAt: NOON,
      firstRelease: null,
      lastRelease: null,
      eventCount: 1,
      userCount: 1,
      assignee: null,
      priority: "high",
      isPrioritySet: false,
    });
  });

  test("two events of one hash in one batch are one issue, new only with the first", async () => {
    await using store = await openStore(createDatabase);
    const [first, second] = await apply(store, [occurrence(0, "a"), occurrence(1, "a")]);
    expect(first?.transition).toBe("new");
    expect(second).toEqual({ issueId: first?.issueId, transition: null });
    expect((await store.issues.getIssue(EVERYTHING, first?.issueId ?? 0))?.eventCount).toBe(2);
  });

  test("two events of one record are both counted", async () => {
    await using store = await openStore(createDatabase);
    const [first] = await apply(store, [occurrence(0, "a"), occurrence(0, "a", { eventId: "b".repeat(32) })]);
    expect((await store.issues.getIssue(EVERYTHING, first?.issueId ?? 0))?.eventCount).toBe(2);
  });

  test("the same hash in two projects is two issues", async () => {
    await using store = await openStore(createDatabase);
    const [first, second] = await apply(store, [
      occurrence(0, "a", { projectId: 1 }),
      occurrence(1, "a", { projectId: 2 }),
    ]);
    expect(first?.issueId).not.toBe(second?.issueId);
  });

  test("where the main hash is unknown and the second is known, the event joins that issue, and brings its main hash", async () => {
    await using store = await openStore(createDatabase);
    const [old] = await apply(store, [occurrence(0, "old")]);
    const [joined] = await apply(store, [occurrence(1, "new", { hashes: ["new", "old"] })]);
    expect(joined).toEqual({ issueId: old?.issueId, transition: null });
    const [later] = await apply(store, [occurrence(2, "new")]);
    expect(later?.issueId).toBe(old?.issueId);
    expect(await store.issues.listIssueHashes(EVERYTHING, old?.issueId ?? 0)).toEqual([
      { hash: "old", grouping: groupingOf("old"), firstSeenAt: NOON, isFoundByAlias: false },
      { hash: "new", grouping: groupingOf("new"), firstSeenAt: NOON, isFoundByAlias: false },
    ]);
  });

  test("where two hashes are known, the first decides, and the other stays where it was", async () => {
    await using store = await openStore(createDatabase);
    const [a, b] = await apply(store, [occurrence(0, "a"), occurrence(1, "b")]);
    const [both] = await apply(store, [occurrence(2, "b", { hashes: ["b", "a"] })]);
    expect(both?.issueId).toBe(b?.issueId);
    expect((await apply(store, [occurrence(3, "a")]))[0]?.issueId).toBe(a?.issueId);
  });

  test("several unknown hashes of one event are one issue", async () => {
    await using store = await openStore(createDatabase);
    const [first, second] = await apply(store, [
      occurrence(0, "a", { hashes: ["a", "b", "b", "a"] }),
      occurrence(1, "b"),
    ]);
    expect(second).toEqual({ issueId: first?.issueId, transition: null });
    expect(await store.issues.listIssueHashes(EVERYTHING, first?.issueId ?? 0)).toHaveLength(2);
  });

  test("the explanation of a hash is that of the first event that brought it", async () => {
    await using store = await openStore(createDatabase);
    const [first] = await apply(store, [
      occurrence(0, "a", { grouping: groupingOf("first"), at: NOON }),
      occurrence(1, "a", { grouping: groupingOf("second"), at: NOON + 1 }),
    ]);
    expect(await store.issues.listIssueHashes(EVERYTHING, first?.issueId ?? 0)).toEqual([
      { hash: "a", grouping: groupingOf("first"), firstSeenAt: NOON, isFoundByAlias: false },
    ]);
  });

  test("title, texts and level follow the latest event by its own clock, whatever the order of arrival", async () => {
    await using store = await openStore(createDatabase);
    const [first] = await apply(store, [occurrence(0, "a", { at: NOON, title: "first" })]);
    await apply(store, [
      occurrence(1, "a", { at: NOON + 20, title: "latest", value: "v", culprit: "c", type: null, level: "warning" }),
      occurrence(2, "a", { at: NOON + 10, title: "between" }),
    ]);
    await apply(store, [occurrence(3, "a", { at: NOON - 10, title: "earliest" })]);
    expect(await store.issues.getIssue(EVERYTHING, first?.issueId ?? 0)).toMatchObject({
      title: "latest",
      value: "v",
      culprit: "c",
      type: null,
      level: "warning",
      firstSeenAt: NOON - 10,
      lastSeenAt: NOON + 20,
      eventCount: 4,
    });
  });

  test("users are counted once each, across batches", async () => {
    await using store = await openStore(createDatabase);
    const [first] = await apply(store, [
      occurrence(0, "a", { userKey: "id:1" }),
      occurrence(1, "a", { userKey: "id:2" }),
      occurrence(2, "a", { userKey: "id:1" }),
      occurrence(3, "a", { userKey: null }),
      occurrence(4, "b", { userKey: "id:1" }),
    ]);
    await apply(store, [
      occurrence(5, "a", { userKey: "id:2" }),
      occurrence(6, "a", { userKey: "email:2" }),
      occurrence(7, "a", { userKey: "email:3" }),
    ]);
    expect((await store.issues.getIssue(EVERYTHING, first?.issueId ?? 0))?.userCount).toBe(4);
  });

  test("a batch applied again changes nothing, and gives the same issues without transitions", async () => {
    await using store = await openStore(createDatabase);
    const batch = {
      journalId: JOURNAL,
      upTo: 3,
      occurrences: [
        occurrence(0, "a", { userKey: "id:1" }),
        occurrence(1, "b", { hashes: ["b", "a"] }),
        occurrence(2, "c"),
      ],
      outcomes: [{ ...outcome({ quantity: 3 }), sequence: 0 }],
    };
    const once = await store.batches.applyBatch(batch);
    const state = await store.issues.listIssues(...query());
    const twice = await store.batches.applyBatch(batch);
    expect(twice).toEqual(once.map(({ issueId }) => ({ issueId, transition: null })));
    expect(await store.issues.listIssues(...query())).toEqual(state);
    expect(await acceptedTotal(store)).toBe(3);
    expect(await store.batches.appliedSequence(JOURNAL)).toBe(3);
  });

  test("of a batch that overlaps with what is applied, only the rest counts", async () => {
    await using store = await openStore(createDatabase);
    const records = [0, 1, 2, 3].map((sequence) => ({
      occurrence: occurrence(sequence, "a"),
      outcome: { ...outcome(), sequence },
    }));
    const batchUpTo = (upTo: number) => ({
      journalId: JOURNAL,
      upTo,
      occurrences: records.slice(0, upTo).map((record) => record.occurrence),
      outcomes: records.slice(0, upTo).map((record) => record.outcome),
    });
    const [first] = await store.batches.applyBatch(batchUpTo(2));
    const assignments = await store.batches.applyBatch(batchUpTo(4));
    expect(assignments).toEqual(records.map(() => ({ issueId: first?.issueId, transition: null })));
    expect((await store.issues.getIssue(EVERYTHING, first?.issueId ?? 0))?.eventCount).toBe(4);
    expect(await acceptedTotal(store)).toBe(4);
    expect(await store.batches.appliedSequence(JOURNAL)).toBe(4);
  });

  test("a shorter batch that comes later does not move the position back", async () => {
    await using store = await openStore(createDatabase);
    await store.batches.applyBatch({ journalId: JOURNAL, upTo: 10, occurrences: [], outcomes: [] });
    await store.batches.applyBatch({ journalId: JOURNAL, upTo: 5, occurrences: [], outcomes: [] });
    expect(await store.batches.appliedSequence(JOURNAL)).toBe(10);
  });

  test("each journal has its own position", async () => {
    await using store = await openStore(createDatabase);
    await store.batches.applyBatch({ journalId: "one", upTo: 7, occurrences: [], outcomes: [] });
    const [applied] = await store.batches.applyBatch({
      journalId: "two",
      upTo: 1,
      occurrences: [occurrence(0, "a")],
      outcomes: [],
    });
    expect(applied?.transition).toBe("new");
    expect(await store.batches.appliedSequence("one")).toBe(7);
    expect(await store.batches.appliedSequence("two")).toBe(1);
  });

  test("a batch with one wrong record leaves nothing behind", async () => {
    await using store = await openStore(createDatabase);
    const batch = {
      journalId: JOURNAL,
      upTo: 1,
      occurrences: [occurrence(0, "a"), occurrence(1, "b")],
      outcomes: [{ ...outcome(), sequence: 0 }],
    };
    await expect(store.batches.applyBatch(batch)).rejects.toThrow(RangeError);
    expect((await store.issues.listIssues(...query())).issues).toEqual([]);
    expect(await acceptedTotal(store)).toBe(0);
    expect(await store.batches.appliedSequence(JOURNAL)).toBe(0);
    expect(await apply(store, [occurrence(0, "a"), occurrence(1, "b")])).toHaveLength(2);
  });

  test("an applied record whose issue is unknown gets one, without a transition", async () => {
    await using store = await openStore(createDatabase);
    await store.batches.applyBatch({ journalId: JOURNAL, upTo: 1, occurrences: [], outcomes: [] });
    const [assignment] = await apply(store, [occurrence(0, "a")]);
    expect(assignment?.transition).toBeNull();
    expect(await store.issues.getIssue(EVERYTHING, assignment?.issueId ?? 0)).not.toBeNull();
  });

  test("an event of a project that does not exist still gets an issue", async () => {
    await using store = await openStore(createDatabase);
    const [assignment] = await apply(store, [occurrence(0, "a", { projectId: 404 })]);
    expect(await store.issues.getIssue(scopeOf(404), assignment?.issueId ?? 0)).toMatchObject({
      projectId: 404,
      eventCount: 1,
    });
  });

  test("short ids count per project in base 32 without misreadable letters, and are found in any spelling", async () => {
    await using store = await openStore(createDatabase);
    const web = await createProject(store, "web");
    const other = await createProject(store, "other-app");
    const assignments = await apply(
      store,
      Array.from({ length: 36 }, (_, index) => occurrence(index, `h${index}`, { projectId: web })),
    );
    await apply(store, [occurrence(40, "x", { projectId: other })]);
    const shortIds = (
      await store.issues.getIssues(
        EVERYTHING,
        assignments.map(({ issueId }) => issueId),
      )
    ).map((issue) => issue.shortId);
    expect(shortIds.slice(0, 9)).toEqual([
      "WEB-1",
      "WEB-2",
      "WEB-3",
      "WEB-4",
      "WEB-5",
      "WEB-6",
      "WEB-7",
      "WEB-8",
      "WEB-9",
    ]);
    expect(shortIds.slice(9, 23)).toEqual([..."ABCDEFGHJKMNPQ"].map((digit) => `WEB-${digit}`));
    expect(shortIds.slice(30)).toEqual(["WEB-Z", "WEB-10", "WEB-11", "WEB-12", "WEB-13", "WEB-14"]);
    expect((await store.issues.getIssueByShortId(EVERYTHING, "web-1o"))?.shortId).toBe("WEB-10");
    expect((await store.issues.getIssueByShortId(EVERYTHING, " Web-iL "))?.shortId).toBe("WEB-11");
    expect((await store.issues.getIssueByShortId(EVERYTHING, "other-app-1"))?.shortId).toBe("OTHER-APP-1");
    expect(await store.issues.getIssueByShortId(EVERYTHING, "WEB-77")).toBeNull();
    expect(await store.issues.getIssueByShortId(EVERYTHING, "")).toBeNull();
  });

  test("short ids stay when the slug changes, and are not given again to a project that takes the old slug", async () => {
    await using store = await openStore(createDatabase);
    const first = await createProject(store, "web");
    const [old] = await apply(store, [occurrence(0, "a", { projectId: first })]);
    await store.projects.changeProject(EVERYTHING, first, { slug: "site" });
    const second = await createProject(store, "web");
    const [renamed, taken] = await apply(store, [
      occurrence(1, "b", { projectId: first }),
      occurrence(2, "c", { projectId: second }),
    ]);
    const issues = await store.issues.getIssues(
      EVERYTHING,
      [old, renamed, taken].map((assignment) => assignment?.issueId ?? 0),
    );
    expect(issues.map((issue) => issue.shortId)).toEqual(["WEB-1", "SITE-1", "WEB-2"]);
  });

  test("a project's first event is noted once, when it was received", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "web");
    expect((await store.projects.getProject(EVERYTHING, projectId))?.firstEventAt).toBeNull();
    const version = await store.directory.version();
    await apply(store, [
      occurrence(0, "a", { projectId, at: NOON - HOUR_MS, receivedAt: NOON }),
      occurrence(1, "a", { projectId, receivedAt: NOON + 1 }),
    ]);
    expect((await store.projects.getProject(EVERYTHING, projectId))?.firstEventAt).toBe(NOON);
    expect(await store.directory.version()).toBeGreaterThan(version);
    const versionAfter = await store.directory.version();
    await apply(store, [occurrence(2, "a", { projectId, receivedAt: NOON + 2 })]);
    expect((await store.projects.getProject(EVERYTHING, projectId))?.firstEventAt).toBe(NOON);
    expect(await store.directory.version()).toBe(versionAfter);
  });

  test("fractions of a millisecond are cut, and texts of any language survive", async () => {
    await using store = await openStore(createDatabase);
    const title = "Ошибка 錯誤 😀 e\u0301 \u202eabc ' \" \\ % _ \n\t";
    const [assignment] = await apply(store, [occurrence(0, "a", { at: NOON + 0.75, title, value: "" })]);
    expect(await store.issues.getIssue(EVERYTHING, assignment?.issueId ?? 0)).toMatchObject({
      title,
      value: "",
      lastSeenAt: NOON,
    });
  });

  test("the feed of an issue begins with its first event", async () => {
    await using store = await openStore(createDatabase);
    const [assignment] = await apply(store, [occurrence(7, "a"), occurrence(8, "a")]);
    expect(await store.issues.listActivity(EVERYTHING, assignment?.issueId ?? 0)).toEqual([
      {
        id: expect.any(Number),
        issueId: assignment?.issueId,
        at: NOON,
        kind: "first_seen",
        user: null,
        data: { eventId: occurrence(7, "a").eventId },
      },
    ]);
  });
}
