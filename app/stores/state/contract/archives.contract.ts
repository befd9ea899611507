import { expect, test } from "vitest";
import type { IssueSubstatus } from "../../../domain/issue.ts";
import type { ArchiveRule } from "../../../domain/issues/archive-rule.ts";
import { ESCALATING_ISSUE_MS } from "../../../domain/issues/substatus.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  scopeOf,
  setStatus,
} from "./fixture.ts";

const UNTIL_TWO: ArchiveRule = { kind: "events", count: 2, windowMinutes: null };
const ESCALATES: ArchiveRule = { kind: "escalates" };
const FOR_AN_HOUR: ArchiveRule = { kind: "until", until: NOON + HOUR_MS };

async function createIssue(store: State): Promise<number> {
  const [assignment] = await apply(store, [occurrence(0, "a", { userKey: "old" })]);
  return assignment?.issueId ?? 0;
}

async function archive(store: State, issueId: number, rule: ArchiveRule | null, at = NOON + 1) {
  return store.issues.changeIssueStatus(EVERYTHING, {
    issueIds: [issueId],
    status: "archived",
    archive: rule,
    userId: null,
    at,
  });
}

async function read(store: State, issueId: number) {
  const issue = await store.issues.getIssue(EVERYTHING, issueId);
  return issue && { status: issue.status, archive: issue.archive };
}

const event = (sequence: number, userKey: string | null = null) =>
  occurrence(sequence, "a", { at: NOON + 10 + sequence, userKey });
const transitionsOf = (assignments: Array<{ transition: unknown }>) => assignments.map(({ transition }) => transition);

export function describeArchives(createDatabase: CreateStateDatabase): void {
  test("an issue that is archived until more events comes back with the last of them, over batches and connections", async () => {
    await using database = await createDatabase();
    const store = await database.connect({ now: () => NOON });
    await store.outbox.addReader("reader");
    const issueId = await createIssue(store);
    await archive(store, issueId, UNTIL_TWO);
    expect(await read(store, issueId)).toEqual({ status: "archived", archive: { rule: UNTIL_TWO, seen: 0 } });
    const late = occurrence(1, "a", { at: NOON });
    expect(transitionsOf(await apply(store, [late, event(2)]))).toEqual([null, null]);
    const other = await database.connect({ now: () => NOON });
    expect(await read(other, issueId)).toEqual({ status: "archived", archive: { rule: UNTIL_TWO, seen: 1 } });
    expect(transitionsOf(await apply(other, [event(3), event(4)]))).toEqual(["regressed", null]);
    expect(await read(store, issueId)).toEqual({ status: "unresolved", archive: null });
    expect((await store.issues.getIssue(EVERYTHING, issueId))?.substatus).toBe("ongoing");
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "reopened",
      user: null,
      at: NOON + 13,
      data: { archive: UNTIL_TWO, eventId: event(3).eventId },
    });
    expect((await store.outbox.readOutbox("reader", 9)).map(({ transition }) => transition)).toEqual([
      "new",
      "regressed",
    ]);
  });

  test("a batch that is applied again counts nothing again", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, UNTIL_TWO);
    await apply(store, [event(1)]);
    await apply(store, [event(1)]);
    expect(await read(store, issueId)).toMatchObject({ status: "archived", archive: { seen: 1 } });
  });

  test("more users are those that the issue did not have; users within a window are different ones", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, { kind: "users", count: 2, windowMinutes: null });
    await apply(store, [event(1, "old"), event(2, "x"), event(3, null)]);
    await apply(store, [event(4, "x"), event(5, "old")]);
    expect((await read(store, issueId))?.archive?.seen).toBe(1);
    await apply(store, [event(6, "y")]);
    expect((await read(store, issueId))?.status).toBe("unresolved");

    await archive(store, issueId, { kind: "users", count: 2, windowMinutes: 60 }, NOON + 17);
    await apply(store, [event(8, "old"), event(9, "old")]);
    await apply(store, [event(10, "old")]);
    expect((await read(store, issueId))?.status).toBe("archived");
    await apply(store, [event(11, "x")]);
    expect((await read(store, issueId))?.status).toBe("unresolved");
  });

  test("an issue comes back once when its time is over, however many ask; another status ends that", async () => {
    await using database = await createDatabase();
    const store = await database.connect({ now: () => NOON });
    await store.outbox.addReader("reader");
    const issueId = await createIssue(store);
    const [resolved] = await apply(store, [occurrence(1, "b")]);
    const resolvedId = resolved?.issueId ?? 0;
    await archive(store, issueId, FOR_AN_HOUR);
    await archive(store, resolvedId, FOR_AN_HOUR);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [resolvedId],
      status: "resolved",
      userId: null,
      at: NOON + 2,
    });
    await apply(store, [event(2)]);
    expect(await store.archives.endArchives(NOON + HOUR_MS - 1, 10)).toEqual({ issues: [], hasMore: false });
    const other = await database.connect({ now: () => NOON });
    expect(await other.archives.endArchives(NOON + 9 * HOUR_MS, 10)).toEqual({
      issues: [{ issueId, projectId: 1 }],
      hasMore: false,
    });
    expect((await other.archives.endArchives(NOON + 9 * HOUR_MS, 10)).issues).toEqual([]);
    expect(await read(store, issueId)).toEqual({ status: "unresolved", archive: null });
    expect((await read(store, resolvedId))?.status).toBe("resolved");
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "reopened",
      user: null,
      at: NOON + 9 * HOUR_MS,
      data: { archive: FOR_AN_HOUR },
    });
    expect((await store.outbox.readOutbox("reader", 9)).at(-1)).toMatchObject({ transition: "regressed", issueId });
  });

  test("many whose time is over come back in steps, those that wait longest first", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const made = await apply(store, [occurrence(0, "a"), occurrence(1, "b"), occurrence(2, "c")]);
    const [a = 0, b = 0, c = 0] = made.map(({ issueId }) => issueId);
    for (const [issueId, hours] of [
      [a, 3],
      [b, 1],
      [c, 2],
    ] as const)
      await archive(store, issueId, { kind: "until", until: NOON + hours * HOUR_MS });
    const step = () => store.archives.endArchives(NOON + 4 * HOUR_MS, 2);
    const first = await step();
    expect([first.issues.map(({ issueId }) => issueId), first.hasMore]).toEqual([[b, c], true]);
    const second = await step();
    expect([second.issues.map(({ issueId }) => issueId), second.hasMore]).toEqual([[a], false]);
  });

  test("undo puts back the rule with what it had counted, and what was said", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, UNTIL_TWO);
    await apply(store, [event(1)]);
    const before = await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "unresolved",
      userId: null,
      at: NOON + 20,
    });
    expect(before).toMatchObject([{ status: "archived", archive: UNTIL_TWO }]);
    await apply(store, [event(12)]);
    await store.issues.restoreIssueStatuses(EVERYTHING, before, { userId: null, at: NOON + 30 });
    expect(await read(store, issueId)).toEqual({ status: "archived", archive: { rule: UNTIL_TWO, seen: 1 } });
    expect((await store.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "archived",
      data: { isUndo: true, archive: UNTIL_TWO },
    });
    await apply(store, [event(25)]);
    expect((await read(store, issueId))?.status).toBe("unresolved");
  });

  test("another archive counts from its own beginning, one for ever nothing; the same changes nothing", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, UNTIL_TWO);
    await apply(store, [event(1)]);
    expect(await archive(store, issueId, { ...UNTIL_TWO }, NOON + 20)).toEqual([]);
    const before = await archive(store, issueId, { kind: "events", count: 3, windowMinutes: null }, NOON + 20);
    expect(before).toMatchObject([{ status: "archived", archive: UNTIL_TWO }]);
    expect((await read(store, issueId))?.archive?.seen).toBe(0);
    await archive(store, issueId, null, NOON + 30);
    await apply(store, [event(31), event(32), event(33)]);
    expect(await read(store, issueId)).toEqual({ status: "archived", archive: null });
  });

  test("an issue that is archived until it escalates comes back once with more events in an hour than its bound, over batches", async () => {
    await using database = await createDatabase();
    const store = await database.connect({ now: () => NOON });
    await store.outbox.addReader("reader");
    // A week and more of at most eight events an hour, in two environments.
    const past = Array.from({ length: 9 * 8 }, (_, index) =>
      occurrence(index, "a", {
        at: NOON - (9 - Math.floor(index / 8)) * DAY_MS,
        environment: index % 2 ? "production" : "staging",
      }),
    );
    const [first] = await apply(store, past);
    const issueId = first?.issueId ?? 0;
    await archive(store, issueId, ESCALATES);
    const perHour = { most: 16, busiest: 8, isRate: false, ceiling: 16 };
    expect((await read(store, issueId))?.archive).toMatchObject({ rule: ESCALATES, seen: 0, bounds: { perHour } });
    const inHour = (hour: number, from: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        occurrence(from + index, "a", { at: NOON + hour * HOUR_MS + 60_000 + index }),
      );
    await apply(store, inHour(1, 100, 10));
    await apply(store, inHour(2, 120, 10));
    const other = await database.connect({ now: () => NOON });
    await apply(other, inHour(2, 130, 6));
    expect((await read(store, issueId))?.status).toBe("archived");
    expect(transitionsOf(await apply(other, inHour(2, 140, 3)))).toEqual(["regressed", null, null]);
    await apply(other, inHour(2, 140, 3));
    expect(await read(store, issueId)).toEqual({ status: "unresolved", archive: null });
    const activity = await store.issues.listActivity(EVERYTHING, issueId);
    expect(activity.filter(({ kind }) => kind === "reopened")).toMatchObject([
      { data: { archive: ESCALATES, escalation: { unit: "hour", from: NOON + 2 * HOUR_MS, count: 19, most: 16 } } },
    ]);
    const told = (await store.outbox.readOutbox("reader", 99)).filter(({ transition }) => transition === "regressed");
    expect(told).toMatchObject([{ issueId, eventId: occurrence(140, "a").eventId }]);
    const found = async (state: State, substatus: IssueSubstatus) =>
      (await state.issues.listIssues(...query({ substatuses: [substatus] }))).issues.map((issue) => issue.substatus);
    expect(await found(store, "escalating")).toEqual(["escalating"]);
    const counted = await store.issues.countIssueValues(EVERYTHING, { field: "substatus", limit: 9 });
    expect(counted.values).toEqual([{ value: "escalating", count: 1 }]);
    const later = await database.connect({ now: () => NOON + 2 * HOUR_MS + ESCALATING_ISSUE_MS + HOUR_MS });
    expect(await found(later, "escalating")).toEqual([]);
    expect(await found(later, "ongoing")).toEqual(["ongoing"]);
  });

  test("undo of what people did to an issue that escalated puts back that it did", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, ESCALATES);
    await apply(
      store,
      Array.from({ length: 70 }, (_, index) => event(1 + index)),
    );
    const shown = async () => (await store.issues.getIssue(EVERYTHING, issueId))?.substatus;
    expect(await shown()).toBe("escalating");
    const before = await archive(store, issueId, null, NOON + 100);
    await store.issues.restoreIssueStatuses(EVERYTHING, before, { userId: null, at: NOON + 200 });
    expect(await shown()).toBe("escalating");
    await archive(store, issueId, null, NOON + 300);
    await setStatus(store, [issueId], "unresolved", NOON + 400);
    expect(await shown()).toBe("ongoing");
  });

  test("bounds follow the issue's past day by day, by its events and without them, and never grow above the first ones", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const many = (from: number, count: number, at: number) =>
      Array.from({ length: count }, (_, index) => occurrence(from + index, "a", { at }));
    const [first] = await apply(store, many(0, 30, NOON - 8 * DAY_MS));
    const issueId = first?.issueId ?? 0;
    await apply(store, many(30, 20, NOON - 6 * DAY_MS));
    await archive(store, issueId, ESCALATES);
    const most = async () => (await read(store, issueId))?.archive?.bounds?.perHour.most;
    expect(await most(), "the hour of eight days ago is not of the last week").toBe(40);
    expect(await store.archives.renewBounds(NOON + HOUR_MS, 10)).toBe(0);
    expect(await store.archives.renewBounds(NOON + DAY_MS, 10)).toBe(1);
    expect(await store.archives.renewBounds(NOON + DAY_MS, 10)).toBe(0);
    expect(await most()).toBe(40);
    await apply(store, many(50, 35, NOON + DAY_MS));
    await apply(store, many(90, 1, NOON + 2 * DAY_MS));
    expect(await read(store, issueId)).toMatchObject({
      status: "archived",
      archive: { bounds: { perHour: { most: 40, busiest: 35 } } },
    });
    expect(await store.archives.renewBounds(NOON + 20 * DAY_MS, 10)).toBe(1);
    expect(await most(), "a quiet week").toBe(10);
  });

  test("undo of a reopening puts the rule back with what it had counted", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, ESCALATES);
    await apply(store, [event(1), event(2)]);
    const by = { userId: null, at: NOON + 20 };
    const [before] = await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "unresolved",
      ...by,
    });
    expect(before).toMatchObject({ status: "archived", archive: ESCALATES });
    if (before) await store.issues.restoreIssueStatuses(EVERYTHING, [before], { userId: null, at: NOON + 21 });
    const restored = await read(store, issueId);
    expect(restored?.archive?.rule).toEqual(ESCALATES);
    expect(restored?.archive?.bounds?.perHour.most, "one event, of a young issue, at its rate").toBe(60);
  });

  test("a deleted issue does not come back", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await archive(store, issueId, FOR_AN_HOUR);
    await store.deletions.deleteIssues(EVERYTHING, { issueIds: [issueId], userId: null, at: NOON + 2 });
    expect((await store.archives.endArchives(NOON + 2 * HOUR_MS, 10)).issues).toEqual([]);
  });

  test("issues outside of the scope are not archived", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issueId = await createIssue(store);
    await store.issues.changeIssueStatus(scopeOf(2), {
      issueIds: [issueId],
      status: "archived",
      archive: FOR_AN_HOUR,
      userId: null,
      at: NOON + 1,
    });
    expect((await read(store, issueId))?.status).toBe("unresolved");
  });
}
