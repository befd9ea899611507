import { expect, test } from "vitest";
import { DAY_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  setStatus,
} from "./fixture.ts";

/** One issue of hash `a`, whose event came at noon. */
async function createIssue(store: State): Promise<number> {
  const [assignment] = await apply(store, [occurrence(0, "a")]);
  return assignment?.issueId ?? 0;
}

async function statusOf(store: State, issueId: number) {
  const issue = await store.issues.getIssue(EVERYTHING, issueId);
  return { status: issue?.status, substatus: issue?.substatus, statusChangedAt: issue?.statusChangedAt };
}

async function activityOf(store: State, issueId: number): Promise<string[]> {
  return (await store.issues.listActivity(EVERYTHING, issueId)).map((activity) => activity.kind);
}

export function describeIssueStatus(createDatabase: CreateStateDatabase): void {
  test("an issue is new for seven days from its first event, then ongoing", async () => {
    await using database = await createDatabase();
    let now = NOON + 7 * DAY_MS - 1;
    const store = await database.connect({ now: () => now });
    const issueId = await createIssue(store);
    expect((await store.issues.getIssue(EVERYTHING, issueId))?.substatus).toBe("new");
    expect((await store.issues.listIssues(...query({ substatuses: ["new"] }))).issues).toHaveLength(1);
    expect((await store.issues.listIssues(...query({ substatuses: ["ongoing"] }))).issues).toHaveLength(0);
    now = NOON + 7 * DAY_MS;
    expect((await store.issues.getIssue(EVERYTHING, issueId))?.substatus).toBe("ongoing");
    expect((await store.issues.listIssues(...query({ substatuses: ["new"] }))).issues).toHaveLength(0);
    expect((await store.issues.listIssues(...query({ substatuses: ["ongoing", "regressed"] }))).issues).toHaveLength(1);
  });

  test("resolving gives what the issue was before, and says who did it", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const set = await store.people.setUp({
      organization: { slug: "o", name: "O" },
      owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
      project: null,
      at: NOON,
    });
    const userId = set.ok ? set.userId : 0;
    const issueId = await createIssue(store);
    const before = await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "resolved",
      userId,
      at: NOON + 5,
    });
    expect(before).toEqual([{ issueId, status: "unresolved", substatus: "new", resolution: null, archive: null }]);
    expect(await statusOf(store, issueId)).toMatchObject({ status: "resolved", statusChangedAt: NOON + 5 });
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toEqual({
      id: expect.any(Number),
      issueId,
      at: NOON + 5,
      kind: "resolved",
      user: { id: userId, name: "Ada" },
      data: {},
    });
  });

  test("an issue that is in the status already, is named twice or does not exist, is left alone", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await createIssue(store);
    const change = { status: "archived", userId: null, at: NOON + 5 } as const;
    expect(
      await store.issues.changeIssueStatus(EVERYTHING, { ...change, issueIds: [issueId, issueId, 999] }),
    ).toHaveLength(1);
    expect(await store.issues.changeIssueStatus(EVERYTHING, { ...change, issueIds: [issueId], at: NOON + 9 })).toEqual(
      [],
    );
    expect((await statusOf(store, issueId)).statusChangedAt).toBe(NOON + 5);
    expect(await activityOf(store, issueId)).toEqual(["archived", "first_seen"]);
  });

  test("undo puts back status and substatus, and marks that it was one", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    const before = await setStatus(store, [issueId], "archived", NOON + 5);
    await store.issues.restoreIssueStatuses(EVERYTHING, before, { userId: null, at: NOON + 6 });
    expect(await statusOf(store, issueId)).toEqual({
      status: "unresolved",
      substatus: "new",
      statusChangedAt: NOON + 6,
    });
    expect(await activityOf(store, issueId)).toEqual(["reopened", "archived", "first_seen"]);
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]?.data).toEqual({ isUndo: true });
    await store.issues.restoreIssueStatuses(EVERYTHING, before, { userId: null, at: NOON + 7 });
    expect(await activityOf(store, issueId)).toHaveLength(3);
  });

  test("undo of many puts back each as it was", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const ids = (await apply(store, [occurrence(0, "a"), occurrence(1, "b"), occurrence(2, "c")])).map(
      (a) => a.issueId,
    );
    const [a = 0, b = 0, c = 0] = ids;
    await setStatus(store, [b], "archived", NOON + 1);
    await setStatus(store, [c], "resolved", NOON + 1);
    const before = await setStatus(store, ids, "resolved", NOON + 2);
    expect(before.map((changed) => changed.issueId)).toEqual([a, b]);
    await store.issues.restoreIssueStatuses(EVERYTHING, before, { userId: null, at: NOON + 3 });
    const issues = await store.issues.getIssues(EVERYTHING, ids);
    expect(issues.map((issue) => issue.status)).toEqual(["unresolved", "archived", "resolved"]);
  });

  test("an issue that a person reopens is ongoing, not new", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "archived", NOON + 1);
    await setStatus(store, [issueId], "unresolved", NOON + 2);
    expect(await statusOf(store, issueId)).toMatchObject({ status: "unresolved", substatus: "ongoing" });
    expect(await activityOf(store, issueId)).toEqual(["reopened", "archived", "first_seen"]);
  });

  test("a resolved issue that happens again regresses, once", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "resolved", NOON + 100);
    const again = occurrence(2, "a", { at: NOON + 150, receivedAt: NOON + 170 });
    const assignments = await apply(store, [again, occurrence(3, "a", { at: NOON + 160 })]);
    expect(assignments.map((assignment) => assignment.transition)).toEqual(["regressed", null]);
    expect(await statusOf(store, issueId)).toEqual({
      status: "unresolved",
      substatus: "regressed",
      statusChangedAt: NOON + 170,
    });
    expect((await apply(store, [occurrence(4, "a", { at: NOON + 200 })]))[0]?.transition).toBeNull();
    expect(await activityOf(store, issueId)).toEqual(["regressed", "resolved", "first_seen"]);
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      user: null,
      data: { eventId: again.eventId },
    });
    await setStatus(store, [issueId], "resolved", NOON + 300);
    expect((await apply(store, [occurrence(5, "a", { at: NOON + 400 })]))[0]?.transition).toBe("regressed");
  });

  test("the event that regressed an issue does so only once when its batch is applied again", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "resolved", NOON + 1);
    await apply(store, [occurrence(1, "a", { at: NOON + 2 })]);
    await setStatus(store, [issueId], "resolved", NOON + 3);
    expect((await apply(store, [occurrence(1, "a", { at: NOON + 9 })]))[0]?.transition).toBeNull();
    expect((await statusOf(store, issueId)).status).toBe("resolved");
  });

  test("an event from before the resolve that arrives after it leaves the issue resolved", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "resolved", NOON + 100);
    const [late] = await apply(store, [occurrence(1, "a", { at: NOON + 50, receivedAt: NOON + 200 })]);
    expect(late?.transition).toBeNull();
    expect((await store.issues.getIssue(EVERYTHING, issueId))?.eventCount).toBe(2);
    expect((await statusOf(store, issueId)).status).toBe("resolved");
  });

  test("an event received before the resolve leaves it resolved, though its clock is ahead", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "resolved", NOON + 100);
    await apply(store, [occurrence(1, "a", { at: NOON + 500, receivedAt: NOON + 90 })]);
    expect((await statusOf(store, issueId)).status).toBe("resolved");
  });

  test("an archived issue stays archived when it happens again", async () => {
    await using store = await openStore(createDatabase);
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "archived", NOON + 1);
    expect((await apply(store, [occurrence(1, "a", { at: NOON + 9 })]))[0]?.transition).toBeNull();
    expect((await statusOf(store, issueId)).status).toBe("archived");
  });

  test("a regressed issue is regressed, not new, however young", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await setStatus(store, [issueId], "resolved", NOON + 1);
    expect((await store.issues.listIssues(...query({ substatuses: ["new"] }))).issues).toEqual([]);
    await apply(store, [occurrence(1, "a", { at: NOON + 2 })]);
    const regressed = await store.issues.listIssues(...query({ substatuses: ["regressed"] }));
    expect(regressed.issues.map((issue) => issue.id)).toEqual([issueId]);
  });

  test("issues are given in the order asked, without those that do not exist", async () => {
    await using store = await openStore(createDatabase);
    const [a, b] = (await apply(store, [occurrence(0, "a"), occurrence(1, "b")])).map((made) => made.issueId);
    expect((await store.issues.getIssues(EVERYTHING, [b ?? 0, 999, a ?? 0])).map((issue) => issue.id)).toEqual([b, a]);
    expect(await store.issues.getIssues(EVERYTHING, [])).toEqual([]);
    expect(await store.issues.getIssue(EVERYTHING, 999)).toBeNull();
    expect(await store.issues.listActivity(EVERYTHING, 999)).toEqual([]);
    expect(await store.issues.listIssueHashes(EVERYTHING, 999)).toEqual([]);
  });
}
