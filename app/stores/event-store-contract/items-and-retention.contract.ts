import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  filter,
  item,
  listSequences,
  NOON,
  openStore,
  projects,
} from "./fixture.ts";

export function describeItemsAndRetention(createDatabase: CreateEventDatabase): void {
  test("lists the items of an event or a trace, the oldest first", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [],
      [
        item(0, { at: NOON + 5, eventId: eventId(1), traceId: "t1" }),
        item(1, { at: NOON + 1, eventId: eventId(1), type: "user_report" }),
        item(2, { at: NOON + 2, eventId: eventId(2), traceId: "t1" }),
        item(3, { at: NOON + 3, eventId: eventId(1), projectId: 2 }),
        item(4, { at: NOON + 4 }),
      ],
    );
    const list = async (change: object) =>
      (await store.listItems({ projectIds: projects(1), ...change })).map((row) => row.sequence);
    expect(await list({ eventId: eventId(1) })).toEqual([1, 0]);
    expect(await list({ traceId: "t1" })).toEqual([2, 0]);
    expect(await list({ eventId: eventId(1), traceId: "t1" })).toEqual([0]);
    expect(await list({ eventId: eventId(1), types: ["user_report", "feedback"] })).toEqual([1]);
    expect(await list({ eventId: eventId(1), projectIds: projects(1, 2) })).toEqual([1, 3, 0]);
    expect(await list({ eventId: eventId(7) })).toEqual([]);
    expect(await list({ eventId: eventId(1), types: [] })).toEqual([]);
    expect(await list({ eventId: eventId(1), projectIds: projects() })).toEqual([]);
    expect(await list({})).toEqual([]);
  });

  test("lists items of some types from one on back, of all projects", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [],
      [
        item(0, { at: NOON + 5, type: "feedback" }),
        item(1, { at: NOON + 1, type: "user_report", projectId: 2 }),
        item(2, { at: NOON + 2, type: "feedback" }),
        item(3, { at: NOON + 3, type: "attachment" }),
      ],
    );
    const list = async (before: Parameters<typeof store.oldItems.listBack>[0]["before"], limit: number) =>
      store.oldItems.listBack({ types: ["feedback", "user_report"], before, limit });
    const all = await list(null, 10);
    expect(all.map((row) => row.sequence)).toEqual([0, 2, 1]);
    expect((await list(all[0] ?? null, 1)).map((row) => row.sequence)).toEqual([2]);
    expect((await list(all[1] ?? null, 10)).map((row) => row.sequence)).toEqual([1]);
    expect(await list(all[2] ?? null, 10)).toEqual([]);
  });

  test("lists 100 items, or those after some, or the one of a place", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [],
      Array.from({ length: 130 }, (_, sequence) => item(sequence, { eventId: eventId(1) })),
    );
    const list = async (part: object) =>
      (await store.listItems({ projectIds: projects(1), eventId: eventId(1), ...part })).map((row) => row.sequence);
    expect(await list({})).toEqual(Array.from({ length: 100 }, (_, sequence) => sequence));
    expect(await list({ skip: 100 })).toEqual(Array.from({ length: 30 }, (_, index) => 100 + index));
    expect(await list({ skip: 128, limit: 1 })).toEqual([128]);
    expect(await list({ place: { sequence: 129, itemIndex: 1 } })).toEqual([129]);
    expect(await list({ place: { sequence: 129, itemIndex: 0 } })).toEqual([]);
    expect(await list({ place: { sequence: 129, itemIndex: 1 }, eventId: eventId(2) })).toEqual([]);
  });

  test("counts what the items hold, by type", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.countItems({ projectIds: projects(1), from: null, to: null })).toEqual([]);
    await append(
      store,
      [],
      [
        item(0, { type: "log", quantity: 40 }),
        item(1, { type: "log", quantity: 2, at: NOON + HOUR_MS }),
        item(2, { type: "transaction" }),
        item(3, { type: "transaction", projectId: 2 }),
      ],
    );
    expect(await store.countItems({ projectIds: projects(1), from: null, to: null })).toEqual([
      { type: "log", quantity: 42 },
      { type: "transaction", quantity: 1 },
    ]);
    expect(await store.countItems({ projectIds: projects(1, 2), from: NOON, to: NOON + HOUR_MS })).toEqual([
      { type: "log", quantity: 40 },
      { type: "transaction", quantity: 2 },
    ]);
    expect(await store.countItems({ projectIds: projects(), from: null, to: null })).toEqual([]);
  });

  test("lists the environments of projects, the most recent first, from events and items", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    expect(await store.listEnvironments(projects(1))).toEqual([]);
    await append(
      store,
      [
        event(0, { at: NOON, environment: "production" }),
        event(1, { at: NOON + 3 * HOUR_MS, environment: "dev" }),
        event(2, { at: NOON + 9 * HOUR_MS, environment: "other", projectId: 2 }),
        event(3, { at: NOON }),
        event(4, { at: NOON, environment: "" }),
      ],
      [item(1, { at: NOON + 2 * HOUR_MS, environment: 'it\'s "quoted" 🌍' })],
    );
    expect(await store.listEnvironments(projects(1))).toEqual(["dev", 'it\'s "quoted" 🌍', "production"]);
    expect(await store.listEnvironments(projects(1, 2))).toEqual(["other", "dev", 'it\'s "quoted" 🌍', "production"]);
    expect(await store.listEnvironments(projects())).toEqual([]);

    await append(store, [event(5, { at: NOON + 20 * HOUR_MS, environment: "production" })]);
    expect(await store.listEnvironments(projects(1))).toEqual(["production", "dev", 'it\'s "quoted" 🌍']);
    await store.close();
    const again = await database.open();
    expect(await again.listEnvironments(projects(1))).toEqual(["production", "dev", 'it\'s "quoted" 🌍']);
  });

  test("lists at most 200 environments of a project that has thousands", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      Array.from({ length: 3_000 }, (_, sequence) => event(sequence, { environment: `e${sequence}` })),
    );
    expect(await store.listEnvironments(projects(1))).toHaveLength(200);
  });

  test("drops what came before the instant, whenever it happened", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [
        event(0, { occurredAt: NOON + DAY_MS, receivedAt: NOON - 1, environment: "gone" }),
        event(1, { occurredAt: NOON - DAY_MS, receivedAt: NOON, environment: "kept" }),
      ],
      [item(0, { at: NOON - 1 }), item(1, { at: NOON })],
    );
    expect(
      await store.dropBefore(
        toCutoffs(() => NOON),
        NOON,
      ),
    ).toBe(2);
    expect(await listSequences(store)).toEqual([1]);
    expect(await store.getEvent(eventId(0), projects(1, 2, 3))).toBeNull();
    expect(await store.countItems({ projectIds: projects(1), from: null, to: null })).toEqual([
      { type: "attachment", quantity: 1 },
    ]);
    expect(await store.listEnvironments(projects(1))).toEqual(["kept"]);
    expect(
      await store.dropBefore(
        toCutoffs(() => NOON),
        NOON,
      ),
    ).toBe(0);
  });

  test("drops what came before the instant of its signal, and counts it before", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [event(0), event(1, { at: NOON + DAY_MS, projectId: 2 })],
      [
        item(2, { category: "replay" }),
        item(3, { category: "replay", projectId: 2 }),
        item(4, { category: "replay", at: NOON + DAY_MS }),
        item(5, { category: "log_item", quantity: 7 }),
        item(6, { category: "log_item", quantity: 5, at: NOON + DAY_MS }),
        item(7, { category: "never_heard_of" }),
      ],
    );
    const none = toCutoffs(() => 0);
    const cutoffs = toCutoffs((signal) =>
      signal === "replays" || signal === "other" ? NOON + 1 : signal === "logs" ? NOON + DAY_MS + 1 : 0,
    );
    const counted = [
      { projectId: 1, category: "log_item", quantity: 12 },
      { projectId: 1, category: "never_heard_of", quantity: 1 },
      { projectId: 1, category: "replay", quantity: 1 },
      { projectId: 2, category: "replay", quantity: 1 },
    ];
    expect(await store.countExpired(cutoffs, none)).toEqual(counted);
    const since = toCutoffs((signal) => (signal === "logs" ? NOON + 1 : signal === "replays" ? NOON + 1 : 0));
    expect(await store.countExpired(cutoffs, since)).toEqual([
      { projectId: 1, category: "log_item", quantity: 5 },
      { projectId: 1, category: "never_heard_of", quantity: 1 },
    ]);
    expect(await store.dropBefore(cutoffs, NOON)).toBe(5);
    expect(await store.countExpired(cutoffs, none)).toEqual([]);
    expect(await store.sumStored()).toEqual(
      expect.arrayContaining([
        { projectId: 1, signal: "errors", day: Math.floor(NOON / DAY_MS), rows: 1, payloadBytes: 8_000 },
        { projectId: 2, signal: "errors", day: Math.floor(NOON / DAY_MS) + 1, rows: 1, payloadBytes: 8_001 },
        { projectId: 1, signal: "replays", day: Math.floor(NOON / DAY_MS) + 1, rows: 1, payloadBytes: 100 },
      ]),
    );
    expect(
      await store.countExpired(
        toCutoffs(() => NOON + 2 * DAY_MS),
        none,
      ),
    ).toEqual([
      { projectId: 1, category: "error", quantity: 1 },
      { projectId: 2, category: "error", quantity: 1 },
      { projectId: 1, category: "replay", quantity: 1 },
    ]);
  });

  test("drops items that have expired, before their time otherwise", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [event(0)],
      [
        item(0, { type: "past", expiresAt: NOON + 10 }),
        item(1, { type: "future", expiresAt: NOON + 11 }),
        item(2, { type: "usual" }),
      ],
    );
    expect(
      await store.dropBefore(
        toCutoffs(() => 0),
        NOON + 10,
      ),
    ).toBe(1);
    const types = await store.countItems({ projectIds: projects(1), from: null, to: null });
    expect(types.map(({ type }) => type)).toEqual(["future", "usual"]);
  });

  test("goes on after everything was dropped, also when opened again", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(0), event(1)]);
    expect(
      await store.dropBefore(
        toCutoffs(() => NOON + DAY_MS),
        NOON,
      ),
    ).toBe(2);
    expect(await store.count(filter())).toEqual({ events: 0, users: 0 });
    await append(store, [event(2)]);
    await store.close();
    const again = await database.open();
    expect(await append(again, [event(3), event(4, { eventId: eventId(2) })])).toEqual({ stored: 1, duplicates: 1 });
    expect(await listSequences(again)).toEqual([3, 2]);
    // Its retention is over: the id may come again, in a record that is new.
    expect(await append(again, [event(5, { eventId: eventId(0) })])).toEqual({ stored: 1, duplicates: 0 });
  });

  test("answers a ping, knows its size, and can be closed twice", async () => {
    await using store = await openStore(createDatabase);
    await store.ping();
    await append(store, [event(0)]);
    expect(await store.bytesOnDisk()).toBeGreaterThan(0);
    await store.close();
    await store.close();
    await expect(store.ping()).rejects.toThrow();
    await expect(append(store, [event(1)])).rejects.toThrow();
  });

  test("reads that are asked for at once all get their answer", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1)]);
    const counts = await Promise.all(Array.from({ length: 40 }, () => store.count(filter())));
    expect(counts).toEqual(Array.from({ length: 40 }, () => ({ events: 2, users: 0 })));
  });
}
