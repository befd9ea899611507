import { expect, test } from "vitest";
import { MINUTE_MS } from "../../domain/time.ts";
import type { EventFilter, EventPage } from "../events/error-events.ts";
import type { EventStore } from "../events/event-store.ts";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  filter,
  listSequences,
  NOON,
  openStore,
  projects,
} from "./fixture.ts";

export function describeListEvents(createDatabase: CreateEventDatabase): void {
  test("an empty store has no events and no cursors", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.listEvents(filter(), { cursor: null, limit: 10 })).toEqual({
      events: [],
      nextCursor: null,
      previousCursor: null,
    });
  });

  test("lists the newest first, by when events happened and not by when they came", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { at: NOON }), event(1, { at: NOON + 5 }), event(2, { at: NOON - 5 })]);
    expect(await listSequences(store)).toEqual([1, 0, 2]);
    const { events } = await store.listEvents(filter(), { cursor: null, limit: 10, order: "oldest" });
    expect(events.map((row) => row.sequence)).toEqual([2, 0, 1]);
  });

  test("lists events of the same instant by their sequence", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1)]);
    await append(store, [event(2), event(3)]);
    expect(await listSequences(store)).toEqual([3, 2, 1, 0]);
  });

  test("pages forwards to the end and backwards to the start, through events of the same instant", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [0, 1, 2, 3, 4, 5, 6].map((sequence) => event(sequence, { at: NOON + Math.floor(sequence / 3) })),
    );
    const pages = await pageForwards(store, "newest");
    expect(pages.map(sequencesOf)).toEqual([[6, 5, 4], [3, 2, 1], [0]]);
    expect(pages[0]?.previousCursor).toBeNull();
    expect(pages[2]?.nextCursor).toBeNull();

    const second = await store.listEvents(filter(), { cursor: pages[2]?.previousCursor ?? null, limit: 3 });
    expect(sequencesOf(second)).toEqual([3, 2, 1]);
    const first = await store.listEvents(filter(), { cursor: second.previousCursor, limit: 3 });
    expect(sequencesOf(first)).toEqual([6, 5, 4]);
    expect(first.previousCursor).toBeNull();
    const secondAgain = await store.listEvents(filter(), { cursor: first.nextCursor, limit: 3 });
    expect(sequencesOf(secondAgain)).toEqual([3, 2, 1]);
  });

  test("pages the oldest first", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [0, 1, 2, 3, 4].map((sequence) => event(sequence, { at: NOON + Math.floor(sequence / 2) })),
    );
    const pages = await pageForwards(store, "oldest");
    expect(pages.map(sequencesOf)).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    const back = await store.listEvents(filter(), {
      cursor: pages[1]?.previousCursor ?? null,
      limit: 3,
      order: "oldest",
    });
    expect(sequencesOf(back)).toEqual([0, 1, 2]);
    expect(back.previousCursor).toBeNull();
  });

  test("a page that ends with the last event has no next one", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1), event(2)]);
    expect((await store.listEvents(filter(), { cursor: null, limit: 3 })).nextCursor).toBeNull();
    expect((await store.listEvents(filter(), { cursor: null, limit: 2 })).nextCursor).not.toBeNull();
  });

  test("new events do not move what a cursor points to", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1), event(2)]);
    const first = await store.listEvents(filter(), { cursor: null, limit: 2 });
    await append(store, [event(3, { at: NOON + 1 }), event(4, { at: NOON - 1 })]);
    const second = await store.listEvents(filter(), { cursor: first.nextCursor, limit: 2 });
    expect(sequencesOf(second)).toEqual([0, 4]);
    const back = await store.listEvents(filter(), { cursor: second.previousCursor, limit: 2 });
    expect(sequencesOf(back)).toEqual([2, 1]);
    expect(back.previousCursor).not.toBeNull();
  });

  test("takes a broken cursor for none, and keeps the limit between 1 and 100", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      Array.from({ length: 120 }, (_, sequence) => event(sequence)),
    );
    for (const cursor of ["", "x", "a1", "a1.z'; --", "azzzzzzzzzzzz.1", "%"]) {
      const { events, previousCursor } = await store.listEvents(filter(), { cursor, limit: 1 });
      expect(events.map((row) => row.sequence)).toEqual([119]);
      expect(previousCursor).toBeNull();
    }
    expect((await store.listEvents(filter(), { cursor: null, limit: 1_000 })).events).toHaveLength(100);
    expect((await store.listEvents(filter(), { cursor: null, limit: 0 })).events).toHaveLength(1);
  });

  test("filters by project and issue; without a project there is nothing", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1, { projectId: 2, issueId: 2 }), event(2, { issueId: 3 })]);
    expect(await listSequences(store, { projectIds: projects(1, 2) })).toEqual([2, 1, 0]);
    expect(await listSequences(store, { projectIds: projects(2) })).toEqual([1]);
    expect(await listSequences(store, { issueId: 3 })).toEqual([2]);
    expect(await listSequences(store, { projectIds: projects(1), issueId: 2 })).toEqual([]);
    expect(await listSequences(store, { projectIds: projects() })).toEqual([]);
  });

  test("takes the start of the time range in and leaves its end out", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [0, 1, 2, 3].map((sequence) => event(sequence, { at: NOON + sequence })),
    );
    expect(await listSequences(store, { from: NOON + 1, to: NOON + 3 })).toEqual([2, 1]);
    expect(await listSequences(store, { from: NOON + 1 })).toEqual([3, 2, 1]);
    expect(await listSequences(store, { to: NOON + 1 })).toEqual([0]);
    expect(await listSequences(store, { from: NOON + 1, to: NOON + 1 })).toEqual([]);
  });

  test("filters by environment; an empty list means all", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { environment: "production" }),
      event(1, { environment: "dev" }),
      event(2),
      event(3, { environment: "staging" }),
    ]);
    expect(await listSequences(store, { environments: ["production", "staging"] })).toEqual([3, 0]);
    expect(await listSequences(store, { environments: [] })).toEqual([3, 2, 1, 0]);
    expect(await listSequences(store, { environments: ["prod"] })).toEqual([]);
  });

  test("filters by tags, all of which must match exactly", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, {
        tags: [
          ["os", "Linux"],
          ["browser", "Firefox"],
        ],
      }),
      event(1, {
        tags: [
          ["os", "Linux 6"],
          ["browser", "Firefox"],
        ],
      }),
      event(2, { tags: [["browser", "Linux"]] }),
      event(3),
    ]);
    expect(await listSequences(store, { tags: [{ key: "os", value: "Linux" }] })).toEqual([0]);
    expect(await listSequences(store, { tags: [{ key: "os", value: "linux" }] })).toEqual([]);
    expect(
      await listSequences(store, {
        tags: [
          { key: "browser", value: "Firefox" },
          { key: "os", value: "Linux 6" },
        ],
      }),
    ).toEqual([1]);
  });

  test("filters by what is not: events without the tag match too", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { tags: [["os", "Linux"]], release: "1.0" }),
      event(1, { tags: [["os", "Windows"]], release: "2.0" }),
      event(2),
    ]);
    expect(await listSequences(store, { tags: [{ key: "os", value: "Linux", isNegated: true }] })).toEqual([2, 1]);
    expect(await listSequences(store, { tags: [{ key: "release", value: "1.0", isNegated: true }] })).toEqual([2, 1]);
    expect(
      await listSequences(store, {
        tags: [
          { key: "os", value: "Windows" },
          { key: "release", value: "1.0", isNegated: true },
        ],
      }),
    ).toEqual([1]);
  });

  test("filters by tags that have one of several values, and by trace", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [
      event(0, { tags: [["plan", "pro"]], userKey: "id:1" }),
      event(1, { tags: [["plan", "free"]], traceId: "a".repeat(32) }),
      event(2, { tags: [["plan", "prof"]] }),
    ]);
    const anyOf = (key: string, ...values: string[]) => listSequences(store, { anyOfTags: [{ key, values }] });
    expect(await anyOf("plan", "pro", "free")).toEqual([1, 0]);
    expect(await anyOf("plan")).toEqual([]);
    expect(await anyOf("user", "email:1", "id:1")).toEqual([0]);
    expect(await listSequences(store, { traceId: "a".repeat(32) })).toEqual([1]);
    const both = [
      { key: "plan", values: ["pro", "free"] },
      { key: "user", values: ["id:1"] },
    ];
    expect(await listSequences(store, { anyOfTags: both })).toEqual([0]);
    // An issue's own counts obey it too.
    const ofIssue = { ...filter(), issueId: 1, anyOfTags: [{ key: "plan", values: ["pro", "free"] }] };
    expect(await store.count(ofIssue)).toMatchObject({ events: 2 });
    expect((await store.findNeighbours(ofIssue, eventId(1)))?.total).toBe(2);
  });

  test("finds the issues of events, those of the newest first, and of how many there are more", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [
      event(0, { issueId: 5, tags: [["plan", "pro"]], at: NOON }),
      event(1, { issueId: 6, tags: [["plan", "pro"]], at: NOON + 5 }),
      event(2, { issueId: 7, tags: [["plan", "free"]], at: NOON + 9 }),
      event(3, { issueId: 5, tags: [["plan", "pro"]], at: NOON - 5 }),
      event(4, { issueId: 8, tags: [["plan", "pro"]], projectId: 2 }),
    ]);
    const pro = { ...filter(), projectIds: projects(1), anyOfTags: [{ key: "plan", values: ["pro"] }] };
    const found = await store.findIssues(pro, 10);
    expect(found).toMatchObject({ issueIds: [6, 5], isComplete: true });
    expect(await store.findIssues(pro, 1)).toMatchObject({ issueIds: [6], isComplete: false });
    expect(await store.findIssues({ ...pro, from: NOON + 1 }, 10)).toMatchObject({ issueIds: [6], isComplete: true });
    expect(await store.findIssues({ ...pro, projectIds: projects() }, 10)).toMatchObject({
      issueIds: [],
      isComplete: true,
    });
    expect(await store.findIssues(pro, 10, found.storedUpTo)).toMatchObject({ issueIds: [], isComplete: true });
    await append(store, [event(5, { issueId: 9, tags: [["plan", "pro"]], at: NOON - 9 })]);
    expect(await store.findIssues(pro, 10, found.storedUpTo)).toMatchObject({ issueIds: [9], isComplete: true });
    expect(await store.findIssues(pro, 10)).toMatchObject({ issueIds: [6, 5, 9], isComplete: true });
    expect(await store.hasTag(projects(1), "plan")).toBe(true);
    expect(await store.hasTag(projects(1), "pla")).toBe(false);
    expect(await store.hasTag(projects(3), "plan")).toBe(false);
  });

  test("filters by release, environment, level, user and transaction as by tags", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { release: "1.0", environment: "dev", level: "warning", userKey: "id:7", transaction: "/a" }),
      event(1, { tags: [["release", "1.0"]] }),
    ]);
    for (const [key, value] of Object.entries({
      release: "1.0",
      environment: "dev",
      level: "warning",
      user: "id:7",
      transaction: "/a",
    })) {
      expect(await listSequences(store, { tags: [{ key, value }] })).toEqual([0]);
    }
    expect(await listSequences(store, { tags: [{ key: "__proto__", value: "1" }] })).toEqual([]);
    expect(await listSequences(store, { tags: [{ key: "constructor", value: "1" }] })).toEqual([]);
  });

  test("finds words of the title without regard to case, and takes wildcards literally", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { title: "TypeError: x is undefined" }),
      event(1, { title: "Ünknown 100% _wrong_" }),
      event(2, { title: "other" }),
    ]);
    expect(await listSequences(store, { words: ["typeerror"] })).toEqual([0]);
    expect(await listSequences(store, { words: ["ÜNKNOWN"] })).toEqual([1]);
    expect(await listSequences(store, { words: ["0% _W"] })).toEqual([1]);
    expect(await listSequences(store, { words: ["%"] })).toEqual([1]);
    expect(await listSequences(store, { words: ["is", "typeerror"] })).toEqual([0]);
    expect(await listSequences(store, { words: ["other", "typeerror"] })).toEqual([]);
    expect(await listSequences(store, { words: [] })).toEqual([2, 1, 0]);
  });

  test("finds words of the transaction, the user, values of tags and the event's id", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { transaction: "GET /Checkout" }),
      event(1, { userKey: "id:4711", userName: "lena@example.com" }),
      event(2, {
        tags: [
          ["plan", "Pro (old)"],
          ["path", "C:\\shop"],
          ["other", "a=b"],
        ],
      }),
      event(3, { eventId: "8da08ad9".padEnd(32, "0") }),
    ]);
    const find = (word: string) => listSequences(store, { words: [word] });
    expect(await find("checkout")).toEqual([0]);
    expect(await find("4711")).toEqual([1]);
    expect(await find("LENA@")).toEqual([1]);
    expect(await find("(OLD)")).toEqual([2]);
    expect(await find("c:\\SHOP")).toEqual([2]);
    expect(await find("a=b")).toEqual([2]);
    expect(await find("8DA08AD9")).toEqual([3]);
    for (const word of ["plan", "id:", ".*", "pro\nx", "\\", "8da08"]) {
      expect([word, await find(word)]).toEqual([word, word === "\\" ? [2] : []]);
    }
  });

  test("finds a user by key and by name, and leaves one out", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { userKey: "id:1", userName: "lena@example.com" }),
      event(1, { userKey: "email:lena@example.com", userName: "" }),
      event(2, { userKey: "id:lena@example.com" }),
      event(3),
    ]);
    const values = ["id", "email", "username", "ip"].map((kind) => `${kind}:lena@example.com`);
    expect(await listSequences(store, { anyOfTags: [{ key: "user", values }] })).toEqual([2, 1, 0]);
    expect(await listSequences(store, { anyOfTags: [{ key: "user", values: ["id:1"] }] })).toEqual([0]);
    expect(await listSequences(store, { tags: [{ key: "user", value: "id:1" }] })).toEqual([0]);
    const left = { tags: [{ key: "user", value: "email:lena@example.com", isNegated: true }] };
    expect(await listSequences(store, left)).toEqual([3, 2]);
  });

  test("names users by their newest event that says a name", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { at: NOON + 2, userKey: "id:1", userName: "lena@example.com" }),
      event(1, { at: NOON + 1, userKey: "id:1", userName: "old@example.com" }),
      event(2, { at: NOON + 3, userKey: "id:1", userName: "" }),
      event(3, { at: NOON, userKey: "id:2", userName: "Grace" }),
      event(4, { at: NOON, userKey: "id:3", userName: "" }),
      event(5, { at: NOON, userKey: "id:4", userName: "elsewhere", issueId: 2 }),
      event(6, { at: NOON, userKey: "id:5", userName: "not asked for" }),
    ]);
    const keys = ["id:1", "id:2", "id:3", "id:4", "id:none"];
    const named = new Map([
      ["id:1", "lena@example.com"],
      ["id:2", "Grace"],
    ]);
    expect(await store.nameUsers(filter({ issueId: 1 }), keys)).toEqual(named);
    expect(await store.nameUsers(filter({ issueId: 1 }), [])).toEqual(new Map());
    expect(await store.nameUsers(filter({ projectIds: projects() }), keys)).toEqual(new Map());
  });

  test("gives the bound of the newest events, and none where there are no more", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      ...[0, 1, 2, 3, 4].map((sequence) => event(sequence, { at: NOON + sequence, environment: "live" })),
      event(5, { at: NOON + 9, issueId: 2, environment: "live" }),
      event(6, { at: NOON + 7 }),
    ]);
    const find = (count: number, change: Partial<EventFilter> = {}) => store.findBound(filter(change), count);
    expect(await find(2)).toBe(NOON + 7);
    expect(await find(2, { issueId: 1 })).toBe(NOON + 4);
    expect(await find(2, { issueId: 1, environments: ["live"] })).toBe(NOON + 3);
    expect(await find(6, { issueId: 1 })).toBeNull();
    expect(await find(7)).toBeNull();
    expect(await find(1, { issueId: 7 })).toBeNull();
    expect(await find(1, { projectIds: projects() })).toBeNull();
  });

  test("gives the newest when two projects have the event id", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { eventId: eventId(9) }), event(1, { eventId: eventId(9), projectId: 2 })]);
    expect((await store.getEvent(eventId(9), projects(1, 2, 3)))?.projectId).toBe(2);
    expect((await store.getEvent(eventId(9), projects(1, 3)))?.projectId).toBe(1);
  });

  test("finds the first and the latest of a filter", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.findEdge(filter(), "first")).toBeNull();
    await append(store, [
      event(0, { at: NOON }),
      event(1, { at: NOON - MINUTE_MS }),
      event(2, { at: NOON }),
      event(3, { at: NOON + MINUTE_MS, issueId: 2 }),
    ]);
    expect((await store.findEdge(filter({ issueId: 1 }), "first"))?.sequence).toBe(1);
    expect((await store.findEdge(filter({ issueId: 1 }), "latest"))?.sequence).toBe(2);
    expect((await store.findEdge(filter(), "latest"))?.sequence).toBe(3);
    expect(await store.findEdge(filter({ issueId: 5 }), "latest")).toBeNull();
    expect(await store.findEdge(filter({ projectIds: projects() }), "latest")).toBeNull();
  });
}

function sequencesOf(page: EventPage): number[] {
  return page.events.map((row) => row.sequence);
}

async function pageForwards(store: EventStore, order: "newest" | "oldest"): Promise<EventPage[]> {
  const pages: EventPage[] = [];
  let cursor: string | null = null;
  do {
    const page: EventPage = await store.listEvents(filter(), { cursor, limit: 3, order });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}
