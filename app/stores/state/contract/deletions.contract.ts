import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { SelectedEvent } from "../../events/event-deletion.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createKey,
  createProject,
  EVERYTHING,
  JOURNAL,
  NOON,
  occurrence,
  outcome,
  query,
  scopeOf,
} from "./fixture.ts";

const BY = { userId: null, at: NOON + 10 };

async function issueIdsOf(store: State): Promise<number[]> {
  return (await store.issues.listIssues(...query())).issues.map(({ id }) => id);
}

function selected(sequence: number, change: Partial<SelectedEvent> = {}): SelectedEvent {
  const { eventId } = occurrence(sequence, "a");
  const items = [{ category: "error", quantity: 1, receivedAt: NOON }];
  const happened = { issueId: 1, occurredAt: NOON, environment: null, release: null, userKey: null };
  return { projectId: 1, eventId, occurrence: happened, items, ...change };
}

export function describeDeletions(createDatabase: CreateStateDatabase): void {
  test("a deleted issue is gone at once, and the same error makes a new one", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a, b] = await apply(store, [occurrence(0, "a"), occurrence(1, "b"), occurrence(2, "a")]);
    const issueId = a?.issueId ?? 0;
    const shortId = (await store.issues.getIssue(EVERYTHING, issueId))?.shortId;
    expect(await store.deletions.deleteIssues(EVERYTHING, { ...BY, issueIds: [issueId, 999] })).toEqual([
      { issueId, projectId: 1, shortId },
    ]);
    expect(await issueIdsOf(store)).toEqual([b?.issueId]);
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toBeNull();
    expect(await store.issues.getIssueByShortId(EVERYTHING, shortId ?? "")).toBeNull();
    expect((await store.issues.listIssues(...query({ text: ["Error of a"] }))).issues).toEqual([]);

    const [again] = await apply(store, [occurrence(3, "a", { at: NOON + 20 })]);
    expect(again).toMatchObject({ transition: "new" });
    expect(again?.issueId).toBeGreaterThan(issueId);
    expect((await store.issues.getIssue(EVERYTHING, again?.issueId ?? 0))?.eventCount).toBe(1);
  });

  test("an event that had come before makes no new issue: it is as gone as the issue is, until that is swept", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [occurrence(0, "a")]);
    const issueId = a?.issueId ?? 0;
    await store.deletions.deleteIssues(EVERYTHING, { ...BY, issueIds: [issueId] });
    expect(await apply(store, [occurrence(1, "a", { at: NOON + 10 })])).toEqual([{ issueId, transition: null }]);
    // A batch that is read again after a crash.
    const replayed = {
      journalId: JOURNAL,
      upTo: 2,
      occurrences: [occurrence(0, "a"), occurrence(1, "a")],
      outcomes: [],
    };
    expect((await store.batches.applyBatch(replayed)).map((each) => each.issueId)).toEqual([issueId, issueId]);
    expect(await issueIdsOf(store)).toEqual([]);
    const [open] = await store.deletionWork.listOpen(10);
    await store.deletionWork.setPhase(open?.id ?? 0, "swept");
    expect(await apply(store, [occurrence(2, "a")])).toEqual([{ issueId: expect.any(Number), transition: "new" }]);
  });

  test("nothing outside of the scope is deleted, nor listed", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [occurrence(0, "a")]);
    const issueIds = [a?.issueId ?? 0];
    const events = {
      ...BY,
      projectId: 1,
      eventIds: [occurrence(0, "a").eventId],
      issueId: issueIds[0] ?? 0,
      label: "X-1",
    };
    expect(await store.deletions.deleteIssues(scopeOf(2), { ...BY, issueIds })).toEqual([]);
    expect(await store.deletions.deleteEvents(scopeOf(2), events)).toBe(false);
    expect(await issueIdsOf(store)).toEqual(issueIds);
    expect(await store.deletions.deleteEvents(scopeOf(1), events)).toBe(true);
    expect(await store.deletions.listDeletions(scopeOf(2))).toEqual([]);
    expect(await store.deletions.listDeletions(scopeOf(1))).toEqual([
      {
        id: expect.any(Number),
        kind: "event",
        label: "X-1",
        projectId: 1,
        askedAt: NOON + 10,
        user: null,
        phase: "asked",
        eventCount: 0,
        itemCount: 0,
        doneAt: null,
        progress: null,
      },
    ]);
  });

  test("an event counts as deleted instead of accepted, however often it is noted", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [occurrence(0, "a")]);
    await store.outcomes.addOutcomes([outcome({ quantity: 2 }), outcome({ category: "attachment", quantity: 4 })]);
    await store.deletions.deleteIssues(EVERYTHING, { ...BY, issueIds: [a?.issueId ?? 0] });
    const [open] = await store.deletionWork.listOpen(10);
    const event = selected(0, {
      items: [
        { category: "error", quantity: 1, receivedAt: NOON },
        { category: "attachment", quantity: 4, receivedAt: NOON + 10 },
        { category: "feedback", quantity: 1, receivedAt: NOON },
      ],
    });
    for (const _ of ["once", "again"]) await store.deletionWork.noteEvents(open?.id ?? 0, [event]);
    const sums = await store.outcomes.sumOutcomes(EVERYTHING, {
      from: NOON - HOUR_MS,
      to: NOON + HOUR_MS,
      bucketMs: null,
      groupBy: ["outcome", "category"],
    });
    const counted = sums.map((sum) => [sum.outcome, sum.category, sum.quantity].join(" ")).sort();
    expect(counted).toEqual(["accepted error 1", "deleted attachment 4", "deleted error 1"]);
    expect(await store.deletionWork.listOpen(10)).toMatchObject([{ eventCount: 1, itemCount: 5 }]);
  });

  test("what is noted is found until it is erased, and a deletion keeps nothing of it", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const issues = await apply(store, [occurrence(0, "a"), occurrence(1, "b")]);
    const ids = issues.map(({ issueId }) => issueId);
    await store.deletions.deleteIssues(EVERYTHING, { ...BY, issueIds: ids });
    const [first, second] = await store.deletionWork.listOpen(10);
    await store.deletionWork.noteEvents(first?.id ?? 0, [selected(0)]);
    const late = [{ category: "error", quantity: 1, receivedAt: NOON + 3 * DAY_MS }];
    await store.deletionWork.noteEvents(second?.id ?? 0, [selected(1, { items: late })]);
    const keys = [0, 1, 2].map((sequence) => ({ projectId: 1, identity: occurrence(sequence, "a").eventId }));
    const found = [
      ...(await store.deletionWork.findDeleted([...keys, { projectId: 2, identity: keys[0]?.identity ?? "" }])),
    ];
    expect(found.sort()).toEqual(keys.slice(0, 2).map(({ identity }) => `1:${identity}`));
    const noonDay = Math.floor(NOON / DAY_MS);
    expect(await store.deletionWork.listDeletedDays()).toEqual([noonDay, noonDay + 3]);

    await store.deletionWork.setPhase(first?.id ?? 0, "swept");
    await store.deletionWork.beginErasure([7, 8]);
    await store.deletionWork.endErasure(7);
    expect(await store.deletionWork.listErasures()).toEqual([8]);
    await store.deletionWork.endErasure(8);
    expect(await store.deletionWork.finish(NOON + 98)).toBe(0);
    await store.deletionWork.forget();
    expect(await store.deletionWork.countForgotten()).toBe(1);
    expect([...(await store.deletionWork.findDeleted(keys))]).toEqual([`1:${keys[1]?.identity}`]);
    expect(await store.deletionWork.listOpen(10)).toMatchObject([{ id: second?.id, phase: "asked" }]);
    const listPhases = async () =>
      (await store.deletions.listDeletions(EVERYTHING)).map(({ phase, doneAt }) => [phase, doneAt]);
    expect(await listPhases()).toEqual([
      ["asked", null],
      ["erasing", null],
    ]);
    expect(await store.deletionWork.finish(NOON + 99)).toBe(1);
    expect(await store.deletionWork.countForgotten()).toBe(0);
    expect(await listPhases()).toEqual([
      ["asked", null],
      ["done", NOON + 99],
    ]);
  });

  test("what is left of a deleted issue goes some rows at a time", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const users = Array.from({ length: 30 }, (_, index) => occurrence(index, "a", { userKey: `id:${index}` }));
    const [a] = await apply(store, users);
    const issueId = a?.issueId ?? 0;
    await store.deletions.deleteIssues(EVERYTHING, { ...BY, issueIds: [issueId] });
    const [open] = await store.deletionWork.listOpen(10);
    let steps = 0;
    while ((await store.deletionWork.purge(open?.id ?? 0, 10)) > 0) steps++;
    expect(steps).toBeGreaterThan(2);
    const trends = await store.issues.listTrends(EVERYTHING, [issueId], {
      from: NOON - HOUR_MS,
      to: NOON + HOUR_MS,
      bucketMs: HOUR_MS,
    });
    expect(trends.get(issueId)?.every((count) => count === 0)).toBe(true);
    expect(await store.issues.listActivity(EVERYTHING, issueId)).toEqual([]);
  });

  test("a deleted project is gone with its keys at once, and everything in it by and by", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [doomed, kept] = [await createProject(store, "doomed"), await createProject(store, "kept")];
    for (const [projectId, publicKey] of [
      [doomed, "d".repeat(32)],
      [kept, "e".repeat(32)],
    ] as const)
      await createKey(store, { projectId, label: "More", publicKey, at: NOON });
    await apply(store, [
      occurrence(0, "a", { projectId: doomed, userKey: "id:1", release: "a@1" }),
      occurrence(1, "b", { projectId: doomed }),
      occurrence(2, "a", { projectId: kept }),
    ]);
    await store.outcomes.addOutcomes([outcome({ projectId: doomed }), outcome({ projectId: kept })]);
    const request = { ...BY, projectId: doomed };
    expect(await store.deletions.deleteProject(scopeOf(kept), request)).toBe(false);
    expect(await store.deletions.deleteProject(EVERYTHING, request)).toBe(true);
    expect(await store.deletions.deleteProject(EVERYTHING, request)).toBe(false);
    expect((await store.projects.listProjects(EVERYTHING)).map(({ slug }) => slug)).toEqual(["kept"]);
    expect(await store.projects.listKeys(EVERYTHING, doomed)).toEqual([]);
    expect(await store.deletionWork.listDeletedProjects()).toEqual([doomed]);

    const [open] = await store.deletionWork.listOpen(10);
    expect(open?.target).toEqual({ kind: "project", projectId: doomed });
    await store.deletionWork.noteRows(open?.id ?? 0, 7);
    while ((await store.deletionWork.purge(open?.id ?? 0, 1)) > 0);
    expect((await store.issues.listIssues(...query())).issues.map(({ projectId }) => projectId)).toEqual([kept]);
    const sums = await store.outcomes.sumOutcomes(EVERYTHING, {
      from: NOON - HOUR_MS,
      to: NOON + HOUR_MS,
      bucketMs: null,
      groupBy: ["project"],
    });
    expect(sums.map(({ projectId }) => projectId)).toEqual([kept]);
    // No scope has it any more.
    expect(await store.deletions.listDeletions(scopeOf(kept))).toEqual([]);
    expect(await store.deletions.listDeletions(scopeOf(kept), { withProjects: true })).toMatchObject([
      { kind: "project", label: "doomed", itemCount: 7 },
    ]);
  });

  test("an issue shows the event that is its latest now, and is found by it", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [occurrence(0, "a", { title: "Secret: 42", value: "secret" })]);
    const issueId = a?.issueId ?? 0;
    const { type, culprit, level, platform, logger, isUnhandled } = occurrence(0, "a");
    const latest = { title: "Other: 1", value: "other", type, culprit, level, platform, logger, isUnhandled };
    await store.deletionWork.showLatest(issueId, latest);
    await store.deletionWork.showLatest(999, latest);
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ title: "Other: 1", value: "other" });
    expect((await store.issues.listIssues(...query({ text: ["secret"] }))).issues).toEqual([]);
    expect((await store.issues.listIssues(...query({ text: ["other"] }))).issues).toHaveLength(1);
  });

  test("deleted events leave the counts and the activity of their issue, each once", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [
      occurrence(0, "a", { userKey: "id:1", environment: "live" }),
      occurrence(1, "a", { userKey: "id:1", environment: null, at: NOON + HOUR_MS }),
      occurrence(2, "a", { userKey: "id:2" }),
    ]);
    const issueId = a?.issueId ?? 0;
    await store.deletions.deleteUser(scopeOf(1), { ...BY, user: { field: "id", value: "1" }, label: "shop" });
    const [open] = await store.deletionWork.listOpen(10);
    const id = open?.id ?? 0;
    expect(open?.target).toEqual({ kind: "user", projectIds: [1], user: { field: "id", value: "1" } });
    const gone = [0, 1].map((sequence) =>
      selected(sequence, {
        occurrence: {
          issueId,
          occurredAt: NOON + sequence * HOUR_MS,
          environment: sequence === 0 ? "live" : null,
          release: null,
          userKey: "id:1",
        },
      }),
    );
    for (const events of [gone.slice(0, 1), gone]) await store.deletionWork.noteEvents(id, events);
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ eventCount: 1, userCount: 2 });
    const [touched, ...others] = await store.deletionWork.listTouched(id, 10);
    expect([touched, ...others]).toEqual([
      { issueId, projectId: 1, eventCount: 1, takenEvents: 2, issueIds: [issueId], userKeys: ["id:1"] },
    ]);
    if (touched === undefined) throw new Error("nothing was touched");
    const settled = { ...touched, goneUserKeys: ["id:1", "id:9"], isEmpty: false };
    expect(await store.deletionWork.settleTouched(id, settled)).toBe(true);
    expect(await store.deletionWork.listTouched(id, 10)).toEqual([]);
    const range = { from: NOON - HOUR_MS, to: NOON + 2 * HOUR_MS, bucketMs: HOUR_MS };
    expect((await store.issues.listTrends(EVERYTHING, [issueId], range)).get(issueId)).toEqual([0, 1, 0]);
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ eventCount: 1, userCount: 1 });
    const activity = await store.issues.listActivity(EVERYTHING, issueId);
    expect(activity.filter(({ kind }) => kind === "events_deleted")).toMatchObject([
      { at: BY.at, user: null, data: { events: 2, isOfUser: true } },
    ]);
  });

  test("an issue without an event goes with the last one, unless another has come", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [occurrence(0, "a")]);
    const issueId = a?.issueId ?? 0;
    const id = await store.deletions.deleteUser(EVERYTHING, { ...BY, user: { field: "id", value: "1" }, label: "x" });
    await store.deletionWork.noteEvents(id, [selected(0)]);
    const [touched] = await store.deletionWork.listTouched(id, 10);
    if (touched === undefined) throw new Error("nothing was touched");
    await apply(store, [occurrence(1, "a")]);
    expect(await store.deletionWork.settleTouched(id, { ...touched, goneUserKeys: [], isEmpty: true })).toBe(false);
    expect(await issueIdsOf(store)).toEqual([issueId]);
    const now = { ...touched, eventCount: 1, goneUserKeys: [], isEmpty: true };
    expect(await store.deletionWork.settleTouched(id, now)).toBe(true);
    expect(await issueIdsOf(store)).toEqual([]);
    expect((await store.deletionWork.listOpen(10)).map(({ kind }) => kind).sort()).toEqual(["issue", "user"]);
  });

  test("items are noted once, with what they are known by when they are sent again", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await store.outcomes.addOutcomes([outcome({ category: "transaction", quantity: 2 })]);
    const id = await store.deletions.deleteUser(EVERYTHING, { ...BY, user: { field: "id", value: "1" }, label: "x" });
    const item = { projectId: 1, key: "item 3 0 5", identity: "f".repeat(32), category: "transaction", quantity: 1 };
    const session = { ...item, key: "session 3 5 x", identity: null, category: "session", quantity: 0 };
    for (const _ of ["once", "again"])
      await store.deletionWork.noteItems(id, [
        { ...item, receivedAt: NOON },
        { ...session, receivedAt: NOON },
      ]);
    const keys = [item.key, item.identity, session.key, "item 4 0 5"].map((identity) => ({ projectId: 1, identity }));
    expect((await store.deletionWork.findDeleted(keys)).size).toBe(3);
    expect(await store.deletionWork.listOpen(10)).toMatchObject([{ eventCount: 0, itemCount: 2 }]);
    const sums = await store.outcomes.sumOutcomes(EVERYTHING, {
      from: NOON - HOUR_MS,
      to: NOON + HOUR_MS,
      bucketMs: null,
      groupBy: ["outcome", "category"],
    });
    const counted = sums.map((sum) => [sum.outcome, sum.category, sum.quantity].join(" ")).sort();
    expect(counted).toEqual(["accepted transaction 1", "deleted transaction 1"]);
  });

  test("a user's deletion touches what counts the user, shows how far it is, and keeps nothing of the user", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [a] = await apply(store, [occurrence(0, "a", { userKey: "id:7" }), occurrence(1, "b", { userKey: "id:8" })]);
    const user = { field: "id" as const, value: "7" };
    const id = await store.deletions.deleteUser(scopeOf(1), { ...BY, user, label: "shop" });
    const scan = { round: "first", table: "items", after: 5, lateFrom: 1, doneRows: 20, totalRows: 30 } as const;
    await store.deletionWork.saveScan(id, scan, { projectIds: [1], userKeys: ["id:7"] });
    expect(await store.deletionWork.listOpen(10)).toMatchObject([{ scan }]);
    expect(await store.deletionWork.listTouched(id, 10)).toMatchObject([{ issueId: a?.issueId, takenEvents: 0 }]);
    expect(await store.deletions.listDeletions(scopeOf(1))).toMatchObject([
      { kind: "user", label: "shop", progress: { doneRows: 20, totalRows: 30 } },
    ]);
    expect(await store.deletions.listDeletions(scopeOf(2))).toEqual([]);
    for (const phase of ["hidden", "swept"] as const) await store.deletionWork.setPhase(id, phase);
    await store.deletionWork.beginErasure([]);
    await store.deletionWork.forget();
    await store.deletionWork.finish(NOON + 99);
    expect(await store.deletions.listDeletions(scopeOf(1))).toMatchObject([{ phase: "done", progress: null }]);
    expect(await store.deletionWork.listOpen(10)).toEqual([]);
  });

  test("what is damaged is counted as that once, and as deleted when it is deleted", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await apply(store, [occurrence(0, "a"), occurrence(1, "a")]);
    await store.outcomes.addOutcomes([outcome({ quantity: 2 })]);
    const { eventId: key } = occurrence(0, "a");
    const damaged = { projectId: 1, key, category: "error", quantity: 1, receivedAt: NOON };
    const counted = async () => {
      const sums = await store.outcomes.sumOutcomes(EVERYTHING, {
        from: NOON - HOUR_MS,
        to: NOON + HOUR_MS,
        bucketMs: null,
        groupBy: ["outcome"],
      });
      return sums.map((sum) => [sum.outcome, sum.quantity].join(" ")).sort();
    };
    expect(await store.damage.noteDamaged([damaged, damaged])).toBe(1);
    expect(await store.damage.noteDamaged([damaged])).toBe(0);
    expect(await counted()).toEqual(["accepted 1", "damaged 1"]);
    const id = await store.deletions.deleteUser(EVERYTHING, { ...BY, user: { field: "id", value: "1" }, label: "x" });
    await store.deletionWork.noteEvents(id, [selected(0)]);
    expect(await counted()).toEqual(["accepted 1", "deleted 1"]);
    await store.deletionWork.noteEvents(id, [selected(1)]);
    expect(await counted()).toEqual(["deleted 2"]);
  });

  test("what was damaged is remembered as long as the ledger is", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const damaged = { projectId: 1, key: "a", category: "error", quantity: 1, receivedAt: NOON };
    await store.damage.noteDamaged([damaged]);
    await store.dropBefore(NOON);
    expect(await store.damage.noteDamaged([damaged])).toBe(0);
    await store.dropBefore(NOON + HOUR_MS);
    expect(await store.damage.noteDamaged([damaged])).toBe(1);
  });
}
