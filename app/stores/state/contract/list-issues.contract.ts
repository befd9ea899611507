import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  titlesOf,
} from "./fixture.ts";

export function describeListIssues(createDatabase: CreateStateDatabase): void {
  test("without issues, or without projects to look at, the list is empty", async () => {
    await using store = await openStore(createDatabase);
    const empty = { issues: [], nextCursor: null, previousCursor: null, matchingCount: 0 };
    expect(await store.issues.listIssues(...query())).toEqual(empty);
    await apply(store, [occurrence(0, "a")]);
    expect(await store.issues.listIssues(...query({ projectIds: [] }))).toEqual(empty);
    expect(await store.issues.listIssues(...query({ environments: ["never seen"] }))).toEqual(empty);
  });

  test("only issues that are named, together with the other conditions", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await apply(store, [occurrence(0, "a", { title: "needle" }), occurrence(1, "b"), occurrence(2, "c")]);
    const all = (await store.issues.listIssues(...query({ sort: "first_seen" }))).issues;
    const idOf = (hash: string) => all.find(({ value }) => value === `value of ${hash}`)?.id ?? 0;
    const count = async (change: Parameters<typeof query>[0]) =>
      (await store.issues.listIssues(...query(change))).matchingCount;
    expect(await count({ issueIds: [idOf("a"), idOf("c"), 99_999] })).toBe(2);
    expect(await count({ issueIds: [idOf("a"), idOf("c")], projectIds: [2] })).toBe(0);
    expect(await count({ issueIds: [idOf("a")], text: ["needle"] })).toBe(1);
    expect(await count({ issueIds: [idOf("b")], text: ["needle"] })).toBe(0);
    expect(await count({ issueIds: [] })).toBe(0);
  });

  test("each order puts the largest or latest first, and of equals the newer issue", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "old", { at: NOON - 3 * HOUR_MS, title: "old and busy", userKey: "id:1" }),
      occurrence(1, "young", { at: NOON - HOUR_MS, title: "young", userKey: "id:1" }),
      occurrence(2, "twin", { at: NOON - HOUR_MS, title: "twin", userKey: "id:1" }),
      occurrence(3, "twin", { at: NOON - HOUR_MS, title: "twin", userKey: "id:2" }),
      occurrence(4, "old", { at: NOON, title: "old and busy", userKey: "id:1" }),
      occurrence(5, "old", { at: NOON, title: "old and busy", userKey: "id:1" }),
    ]);
    expect(await titlesOf(store, { sort: "last_seen" })).toEqual(["old and busy", "twin", "young"]);
    expect(await titlesOf(store, { sort: "first_seen" })).toEqual(["twin", "young", "old and busy"]);
    expect(await titlesOf(store, { sort: "events" })).toEqual(["old and busy", "twin", "young"]);
    expect(await titlesOf(store, { sort: "users" })).toEqual(["twin", "young", "old and busy"]);
  });

  test("the order by events counts those of the range and environments only", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "past", { at: NOON - 3 * DAY_MS }),
      occurrence(1, "past", { at: NOON - 3 * DAY_MS }),
      occurrence(2, "past", { at: NOON - 3 * DAY_MS }),
      occurrence(3, "past", { at: NOON }),
      occurrence(4, "now", { at: NOON }),
      occurrence(5, "now", { at: NOON, environment: "staging" }),
    ]);
    const counts = async (change: Parameters<typeof query>[0]) =>
      (await store.issues.listIssues(...query({ sort: "events", ...change }))).issues.map(
        ({ value, matchingEventCount }) => ({
          value,
          matchingEventCount,
        }),
      );
    const past = "value of past";
    const now = "value of now";
    expect(await counts({})).toEqual([
      { value: past, matchingEventCount: 4 },
      { value: now, matchingEventCount: 2 },
    ]);
    expect(await counts({ from: NOON - DAY_MS })).toEqual([
      { value: now, matchingEventCount: 2 },
      { value: past, matchingEventCount: 1 },
    ]);
    expect(await counts({ environments: ["staging"] })).toEqual([{ value: now, matchingEventCount: 1 }]);
    expect(await counts({ environments: ["production"], from: NOON - 4 * DAY_MS, to: NOON - DAY_MS })).toEqual([
      { value: past, matchingEventCount: 3 },
    ]);
  });

  test("an issue matches a range when one of its events lies in it", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "steady", { at: NOON - 10 * DAY_MS, title: "steady" }),
      occurrence(1, "steady", { at: NOON, title: "steady" }),
      occurrence(2, "once", { at: NOON - 5 * DAY_MS, title: "once" }),
    ]);
    // A long-lived issue with no event in between does not match what lies in between.
    expect(await titlesOf(store, { from: NOON - 6 * DAY_MS, to: NOON - 4 * DAY_MS })).toEqual(["once"]);
    expect(await titlesOf(store, { from: NOON - 9 * DAY_MS, to: NOON - DAY_MS })).toEqual(["once"]);
    expect(await titlesOf(store, { from: null, to: NOON - 9 * DAY_MS })).toEqual(["steady"]);
    expect(await titlesOf(store, { from: NOON - 5 * DAY_MS, to: null })).toEqual(["steady", "once"]);
    expect(await titlesOf(store, { from: NOON - 5 * DAY_MS + 1, to: null })).toEqual(["steady"]);
    expect(await titlesOf(store, { from: NOON, to: null })).toEqual(["steady"]);
    expect(await titlesOf(store, { from: NOON, to: NOON + 1 })).toEqual(["steady"]);
    expect(await titlesOf(store, { from: NOON + 1, to: null })).toEqual([]);
    expect(await titlesOf(store, { from: NOON, to: NOON - DAY_MS })).toEqual([]);
  });

  test("a range begins with its first millisecond and ends before its last, for issues with one event", async () => {
    await using store = await openStore(createDatabase);
    const at = NOON - 5 * DAY_MS + 30 * MINUTE_MS;
    await apply(store, [occurrence(0, "once", { at, title: "once" }), occurrence(1, "now", { title: "now" })]);
    expect(await titlesOf(store, { from: at - MINUTE_MS, to: at })).toEqual([]);
    expect(await titlesOf(store, { from: at - MINUTE_MS, to: at + 1 })).toEqual(["once"]);
    expect(await titlesOf(store, { from: at, to: at + 1 })).toEqual(["once"]);
    expect(await titlesOf(store, { from: at + 1, to: at + MINUTE_MS })).toEqual([]);
  });

  test("a range that ends in the past counts the hours it touches whole, and no others", async () => {
    await using store = await openStore(createDatabase);
    const hour = NOON - 2 * DAY_MS;
    await apply(store, [
      occurrence(0, "a", { at: hour - 1 }),
      occurrence(1, "a", { at: hour }),
      occurrence(2, "a", { at: hour + 59 * MINUTE_MS }),
      occurrence(3, "a", { at: hour + HOUR_MS }),
      occurrence(4, "a", { at: NOON }),
    ]);
    const count = async (from: number | null, to: number | null) =>
      (await store.issues.listIssues(...query({ from, to }))).issues[0]?.matchingEventCount;
    expect(await count(hour, hour + HOUR_MS)).toBe(2);
    expect(await count(hour + 30 * MINUTE_MS, hour + 40 * MINUTE_MS)).toBe(2);
    expect(await count(hour, hour + HOUR_MS + 1)).toBe(3);
    expect(await count(hour - 1, hour + HOUR_MS)).toBe(3);
    expect(await count(hour - 5 * DAY_MS, hour)).toBe(1);
    expect(await count(null, hour + HOUR_MS)).toBe(3);
    expect(await count(hour + HOUR_MS, null)).toBe(2);
    expect(await count(null, null)).toBe(5);
  });

  test("filters by project, status and handling combine", async () => {
    await using store = await openStore(createDatabase);
    const assignments = await apply(store, [
      occurrence(0, "a", { projectId: 1, title: "a", isUnhandled: true }),
      occurrence(1, "b", { projectId: 2, title: "b" }),
      occurrence(2, "c", { projectId: 3, title: "c" }),
    ]);
    const ids = assignments.map((assignment) => assignment.issueId);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: ids.slice(2),
      status: "archived",
      userId: null,
      at: NOON,
    });
    const titles = async (change: Parameters<typeof query>[0]) => (await titlesOf(store, { ...change })).sort();
    expect(await titles({ projectIds: [2] })).toEqual(["b"]);
    expect(await titles({ projectIds: [1, 3] })).toEqual(["a", "c"]);
    expect(await titles({ statuses: ["unresolved"] })).toEqual(["a", "b"]);
    expect(await titles({ statuses: ["archived", "resolved"] })).toEqual(["c"]);
    expect(await titles({ statuses: [] })).toEqual(["a", "b", "c"]);
    expect(await titles({ isUnhandled: true })).toEqual(["a"]);
    expect(await titles({ isUnhandled: true, statuses: ["resolved"] })).toEqual([]);
    expect(await titles({ isUnhandled: false, projectIds: [1] })).toEqual([]);
    expect(await titles({ substatuses: ["new", "ongoing", "regressed"] })).toEqual(["a", "b"]);
  });

  test("an environment matches only with an event of the range; the empty one stands for none", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "a", { title: "a", environment: "staging", at: NOON - 2 * DAY_MS }),
      occurrence(1, "a", { title: "a", environment: "production", at: NOON }),
      occurrence(2, "b", { title: "b", environment: null, at: NOON - 1 }),
    ]);
    expect(await titlesOf(store, { environments: ["staging"] })).toEqual(["a"]);
    expect(await titlesOf(store, { environments: ["staging"], from: NOON - DAY_MS })).toEqual([]);
    expect(await titlesOf(store, { environments: ["staging"], from: NOON - 2 * DAY_MS })).toEqual(["a"]);
    expect(await titlesOf(store, { environments: [""] })).toEqual(["b"]);
    expect(await titlesOf(store, { environments: ["", "production", "never seen"] })).toEqual(["a", "b"]);
    expect(await titlesOf(store, { environments: [] })).toEqual(["a", "b"]);
    // A straggler does not make its environment older.
    await apply(store, [occurrence(3, "a", { title: "a", environment: "production", at: NOON - 3 * DAY_MS })]);
    expect(await titlesOf(store, { environments: ["production"], from: NOON })).toEqual(["a"]);
  });

  test("text is found in title, culprit and short id, in any case, as it stands", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "web");
    await apply(store, [
      occurrence(0, "a", { projectId, title: "100% of_it broke", culprit: "cart.ts in pay" }),
      occurrence(1, "b", { projectId, title: "1000 of it broke", culprit: "ÄRGER.ts in 支払う" }),
      occurrence(2, "c", { projectId, title: 'quote " and \\ and 😀😀', culprit: "a'b" }),
    ]);
    const found = async (...text: string[]) =>
      (await store.issues.listIssues(...query({ text }))).issues.map((issue) => issue.shortId).sort();
    expect(await found("BROKE")).toEqual(["WEB-1", "WEB-2"]);
    expect(await found("0% of")).toEqual(["WEB-1"]);
    expect(await found("%")).toEqual(["WEB-1"]);
    expect(await found("of_it")).toEqual(["WEB-1"]);
    expect(await found("_")).toEqual(["WEB-1"]);
    expect(await found("ärger")).toEqual(["WEB-2"]);
    expect(await found("支払")).toEqual(["WEB-2"]);
    expect(await found("支払う")).toEqual(["WEB-2"]);
    expect(await found('" and \\ and')).toEqual(["WEB-3"]);
    expect(await found("😀")).toEqual(["WEB-3"]);
    expect(await found("and 😀")).toEqual(["WEB-3"]);
    expect(await found("a'b")).toEqual(["WEB-3"]);
    expect(await found("web-2")).toEqual(["WEB-2"]);
    expect(await found("broke", "cart")).toEqual(["WEB-1"]);
    expect(await found("broke", "cart", "1000")).toEqual([]);
    expect(await found("broke", "")).toEqual(["WEB-1", "WEB-2"]);
    expect(await found(...Array.from({ length: 5_000 }, () => "broke"), "cart")).toEqual(["WEB-1"]);
    expect(await found(...Array.from({ length: 5_000 }, () => "broke"), "1000", "cart")).toEqual([]);
    expect(await found("value of")).toEqual([]);
    expect(await found("broke cart")).toEqual([]);
    expect(await found("brokebroke")).toEqual([]);
    expect(await found("OR")).toEqual([]);
    expect(await found("NEAR(quote and)", "*", "\u0000", "\ud800")).toEqual([]);
  });

  test("text is looked for in the title as it is now", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [occurrence(0, "a", { title: "User 17 not found" })]);
    await apply(store, [occurrence(1, "a", { title: "User 23 not found", at: NOON + 1 })]);
    expect(await titlesOf(store, { text: ["user 17"] })).toEqual([]);
    expect(await titlesOf(store, { text: ["user 23"] })).toEqual(["User 23 not found"]);
  });

  test("pages go forward and back, and name their neighbours only where there are some", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      [1, 2, 3, 4, 5].map((number) => occurrence(number, `h${number}`, { at: NOON + number, title: `t${number}` })),
    );
    const page = async (cursor: string | null) => {
      const listed = await store.issues.listIssues(...query({ cursor, limit: 2 }));
      return { ...listed, titles: listed.issues.map((issue) => issue.title) };
    };
    const first = await page(null);
    expect(first).toMatchObject({ titles: ["t5", "t4"], previousCursor: null, matchingCount: 5 });
    const second = await page(first.nextCursor);
    expect(second).toMatchObject({ titles: ["t3", "t2"], matchingCount: 5 });
    const third = await page(second.nextCursor);
    expect(third).toMatchObject({ titles: ["t1"], nextCursor: null });
    const back = await page(third.previousCursor);
    expect(back.titles).toEqual(["t3", "t2"]);
    expect((await page(back.nextCursor)).titles).toEqual(["t1"]);
    const start = await page(back.previousCursor);
    expect(start).toMatchObject({ titles: ["t5", "t4"], previousCursor: null });
    expect((await page(start.nextCursor)).titles).toEqual(["t3", "t2"]);
  });

  test("issues that come in while one pages neither repeat rows nor hide any", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      [1, 2, 3, 4].map((number) => occurrence(number, `h${number}`, { at: NOON + number, title: `t${number}` })),
    );
    const first = await store.issues.listIssues(...query({ limit: 2 }));
    await apply(
      store,
      [5, 6, 7].map((number) => occurrence(number, `h${number}`, { at: NOON + number, title: `t${number}` })),
    );
    const second = await store.issues.listIssues(...query({ limit: 2, cursor: first.nextCursor }));
    expect(second.issues.map((issue) => issue.title)).toEqual(["t2", "t1"]);
    const back = await store.issues.listIssues(...query({ limit: 2, cursor: second.previousCursor }));
    expect(back.issues.map((issue) => issue.title)).toEqual(["t4", "t3"]);
    const above = await store.issues.listIssues(...query({ limit: 2, cursor: back.previousCursor }));
    expect(above.issues.map((issue) => issue.title)).toEqual(["t6", "t5"]);
    expect(above.previousCursor).not.toBeNull();
  });

  test("an invalid cursor gives the first page, and so does one with nothing left on its side", async () => {
    await using store = await openStore(createDatabase);
    const assignments = await apply(
      store,
      [1, 2, 3].map((number) => occurrence(number, `h${number}`, { at: NOON + number, title: `t${number}` })),
    );
    const { nextCursor } = await store.issues.listIssues(...query({ limit: 2 }));
    for (const cursor of [
      "",
      "x",
      "last_seen.after.1e3.5",
      "last_seen.after.1",
      `${nextCursor}0'; DROP TABLE issues`,
    ]) {
      expect(await titlesOf(store, { cursor, limit: 2 })).toEqual(["t3", "t2"]);
    }
    expect(await titlesOf(store, { cursor: nextCursor, limit: 2, sort: "events" })).toEqual(["t3", "t2"]);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: assignments.slice(0, 1).map((assignment) => assignment.issueId),
      status: "resolved",
      userId: null,
      at: NOON,
    });
    const page = await store.issues.listIssues(...query({ cursor: nextCursor, limit: 2, statuses: ["unresolved"] }));
    expect(page.issues.map((issue) => issue.title)).toEqual(["t3", "t2"]);
    expect(page.previousCursor).toBeNull();
  });

  test("a page holds 1 to 100 issues, whatever is asked for", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      Array.from({ length: 101 }, (_, index) => occurrence(index, `h${index}`)),
    );
    expect((await store.issues.listIssues(...query({ limit: 0 }))).issues).toHaveLength(1);
    expect((await store.issues.listIssues(...query({ limit: 5000 }))).issues).toHaveLength(100);
  });

  test("matches are counted up to 1,000", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      Array.from({ length: 1_001 }, (_, index) => occurrence(index, `h${index}`, { projectId: index < 999 ? 1 : 2 })),
    );
    expect((await store.issues.listIssues(...query())).matchingCount).toBe(1_000);
    expect((await store.issues.listIssues(...query({ projectIds: [1] }))).matchingCount).toBe(999);
  });
}
