import { expect, test } from "vitest";
import { MINUTE_MS } from "../../domain/time.ts";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  item,
  JOURNAL,
  listSequences,
  NOON,
  openStore,
  projects,
  toRowBatch,
} from "./fixture.ts";
import { countSummed, log, span } from "./span-fixture.ts";

const BULK = "ffffffffffffffff";

export function describeAppend(createDatabase: CreateEventDatabase): void {
  test("a journal never seen is applied up to 0", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.appliedSequence(JOURNAL)).toBe(0);
  });

  test("rows and position are there after an append", async () => {
    await using store = await openStore(createDatabase);
    expect(await append(store, [event(0), event(1)], [item(1)])).toEqual({ stored: 3, duplicates: 0 });
    expect(await store.appliedSequence(JOURNAL)).toBe(2);
    expect(await listSequences(store)).toEqual([1, 0]);
  });

  test("rows and position are there after closing and opening again", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(0), event(1)], [item(1, { eventId: eventId(1) })]);
    await store.close();
    const again = await database.open();
    expect(await again.appliedSequence(JOURNAL)).toBe(2);
    expect(await listSequences(again)).toEqual([1, 0]);
    expect(await again.getEvent(eventId(1), projects(1, 2, 3))).toEqual(event(1));
    expect(await again.listItems({ projectIds: projects(1), eventId: eventId(1) })).toHaveLength(1);
  });

  test("a batch without rows moves the position", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.append(toRowBatch({ journalId: JOURNAL, upTo: 7 }))).toEqual({
      stored: 0,
      duplicates: 0,
    });
    expect(await store.appliedSequence(JOURNAL)).toBe(7);
  });

  test("a batch is stored after it is logged, and not at all when that fails", async () => {
    await using store = await openStore(createDatabase);
    const batch = () => toRowBatch({ journalId: JOURNAL, upTo: 1, events: [event(0)] });
    const failed = store.append(batch(), Promise.reject(new Error("no disk")));
    await expect(failed).rejects.toThrow("no disk");
    expect(await store.appliedSequence(JOURNAL)).toBe(0);
    expect(await listSequences(store)).toEqual([]);
    const logged = Promise.withResolvers<void>();
    const appended = store.append(batch(), logged.promise);
    expect(await listSequences(store)).toEqual([]);
    expect(await store.appliedSequence(JOURNAL)).toBe(0);
    logged.resolve();
    expect(await appended).toEqual({ stored: 1, duplicates: 0 });
    expect(await listSequences(store)).toEqual([0]);
  });

  test("says that nobody has an id while a batch waits to be logged", async () => {
    await using store = await openStore(createDatabase);
    const logged = Promise.withResolvers<void>();
    const appended = store.append(toRowBatch({ journalId: JOURNAL, upTo: 1, events: [event(0)] }), logged.promise);
    expect(await store.findExisting([{ projectId: 1, identity: eventId(7) }])).toEqual(new Set());
    logged.resolve();
    await appended;
  });

  test("rows of other tables are stored while a batch of another journal waits to be logged", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    // They share the table of long texts.
    const attributes = JSON.stringify({ note: "long ".repeat(2_000) });
    const logged = Promise.withResolvers<void>();
    const spans = [span(0, { attributes }), span(1)];
    const appended = store.append(toRowBatch({ journalId: BULK, upTo: 2, spans }), logged.promise);
    await append(store, [event(1), event(2)]);
    await store.append(toRowBatch({ journalId: JOURNAL, upTo: 4, logs: [log(3, { attributes })] }));
    expect(await listSequences(store)).toEqual([2, 1]);
    expect([await store.appliedSequence(JOURNAL), await store.appliedSequence(BULK)]).toEqual([4, 0]);
    logged.resolve();
    expect(await appended).toEqual({ stored: 2, duplicates: 0 });
    await store.close();

    const again = await database.open();
    expect([await again.appliedSequence(JOURNAL), await again.appliedSequence(BULK)]).toEqual([4, 2]);
    expect(await listSequences(again)).toEqual([2, 1]);
    expect(await countSummed(again, { projectIds: projects(1), from: NOON, to: NOON + MINUTE_MS })).toBe(2);
    await again.close();
  });

  test("batches of one journal are stored in their order, whatever tables they are of", async () => {
    await using store = await openStore(createDatabase);
    const logged = Promise.withResolvers<void>();
    const stored: string[] = [];
    const note = (name: string) => (result: { stored: number }) => stored.push(`${name}: ${result.stored}`);
    const spans = [span(0)];
    const first = store.append(toRowBatch({ journalId: JOURNAL, upTo: 1, spans }), logged.promise).then(note("spans"));
    const second = append(store, [event(1)]).then(note("event"));
    const third = store.append(toRowBatch({ journalId: JOURNAL, upTo: 3, logs: [log(2)] })).then(note("log"));
    await store.append(toRowBatch({ journalId: BULK, upTo: 1, items: [item(0)] })).then(note("item of another"));
    expect(stored).toEqual(["item of another: 1"]);
    logged.resolve();
    await Promise.all([first, second, third]);
    expect(stored).toEqual(["item of another: 1", "spans: 1", "event: 1", "log: 1"]);
    expect(await store.appliedSequence(JOURNAL)).toBe(3);
  });

  test("an identity is stored once, also when batches of two journals and tables have it at the same time", async () => {
    await using store = await openStore(createDatabase);
    const logged = Promise.withResolvers<void>();
    const items = [item(0, { identity: eventId(7) })];
    const first = store.append(toRowBatch({ journalId: BULK, upTo: 1, items }), logged.promise);
    const second = append(store, [event(0, { eventId: eventId(7) })]);
    logged.resolve();
    expect(await Promise.all([first, second])).toEqual([
      { stored: 1, duplicates: 0 },
      { stored: 0, duplicates: 1 },
    ]);
  });

  test("each journal has a position of its own", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1)]);
    await store.append(
      toRowBatch({ journalId: "ffffffffffffffff", upTo: 1, events: [event(0, { eventId: eventId(77) })] }),
    );
    expect(await store.appliedSequence(JOURNAL)).toBe(2);
    expect(await store.appliedSequence("ffffffffffffffff")).toBe(1);
    expect(await listSequences(store)).toHaveLength(3);
  });

  test("the same batch a second time adds nothing", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1)], [item(1)]);
    expect(await append(store, [event(0), event(1)], [item(1)])).toEqual({ stored: 0, duplicates: 3 });
    expect(await listSequences(store)).toEqual([1, 0]);
  });

  test("a replay that overlaps what is applied adds only what is new", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1), event(2)], [item(2)]);
    const replay = [event(1), event(2), event(3), event(4)];
    expect(await append(store, replay, [item(2), item(4)])).toEqual({ stored: 3, duplicates: 3 });
    expect(await listSequences(store)).toEqual([4, 3, 2, 1, 0]);
    expect(await store.countItems({ projectIds: projects(1), from: null, to: null })).toEqual([
      { type: "attachment", quantity: 2 },
    ]);
  });

  test("a replay that ends before the position leaves the position alone", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(5)]);
    await append(store, [event(0)]);
    expect(await store.appliedSequence(JOURNAL)).toBe(6);
  });

  test("an event id that the project has is a duplicate, whenever it came", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { eventId: eventId(42) })]);
    await append(store, [event(1)]);
    expect(await append(store, [event(2, { eventId: eventId(42) }), event(3)])).toEqual({ stored: 1, duplicates: 1 });
    expect(await listSequences(store)).toEqual([3, 1, 0]);
  });

  test("an event id twice in one batch is one event, the first", async () => {
    await using store = await openStore(createDatabase);
    const twice = [event(0, { eventId: eventId(42) }), event(1, { eventId: eventId(42), title: "the second" })];
    expect(await append(store, twice)).toEqual({ stored: 1, duplicates: 1 });
    expect((await store.getEvent(eventId(42), projects(1, 2, 3)))?.sequence).toBe(0);
  });

  test("a duplicate is known after closing and opening again", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(0)]);
    await store.close();
    const again = await database.open();
    expect(await append(again, [event(1, { eventId: eventId(0) })])).toEqual({ stored: 0, duplicates: 1 });
  });

  test("two projects may have the same event id", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { eventId: eventId(42) })]);
    expect(await append(store, [event(1, { eventId: eventId(42), projectId: 2 })])).toEqual({
      stored: 1,
      duplicates: 0,
    });
    expect((await store.getEvent(eventId(42), projects(1)))?.sequence).toBe(0);
    expect((await store.getEvent(eventId(42), projects(2)))?.sequence).toBe(1);
  });

  test("says which event ids are stored", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0), event(1), event(2, { projectId: 2 })]);
    const keys = [
      { projectId: 1, identity: eventId(0) },
      { projectId: 2, identity: eventId(1) },
      { projectId: 2, identity: eventId(2) },
      { projectId: 1, identity: eventId(99) },
      { projectId: 1, identity: "not an event id" },
    ];
    expect(await store.findExisting(keys)).toEqual(new Set([`1:${eventId(0)}`, `2:${eventId(2)}`]));
    expect(await store.findExisting([])).toEqual(new Set());
  });

  test("appends that are asked for at once are applied one after the other", async () => {
    await using store = await openStore(createDatabase);
    const results = await Promise.all(
      [0, 1, 2, 3, 4].map((sequence) => append(store, [event(sequence), event(sequence, { eventId: eventId(42) })])),
    );
    expect(results.reduce((sum, { stored }) => sum + stored, 0)).toBe(6);
    expect(await listSequences(store)).toHaveLength(6);
  });

  test("a batch with a row that cannot be stored is refused whole, and the next one is taken", async () => {
    await using store = await openStore(createDatabase);
    await expect(append(store, [event(0), event(1, { eventId: "no hex" })])).rejects.toThrow(/event_id/);
    await expect(append(store, [event(0, { occurredAt: Number.NaN })])).rejects.toThrow(/occurred_at/);
    expect(await store.appliedSequence(JOURNAL)).toBe(0);
    expect(await append(store, [event(0), event(1)])).toEqual({ stored: 2, duplicates: 0 });
  });

  test("stores a batch of thousands of events and items", async () => {
    await using store = await openStore(createDatabase);
    const sequences = Array.from({ length: 5_000 }, (_, sequence) => sequence);
    const events = sequences.map((sequence) => event(sequence, { at: NOON + sequence }));
    const items = sequences.map((sequence) => item(sequence, { at: NOON + sequence, type: "log", quantity: 10 }));
    expect(await append(store, events, items)).toEqual({ stored: 10_000, duplicates: 0 });
    expect(await store.count({ projectIds: projects(1), from: null, to: null })).toEqual({ events: 5_000, users: 0 });
    expect(await store.countItems({ projectIds: projects(1), from: null, to: null })).toEqual([
      { type: "log", quantity: 50_000 },
    ]);
    const keys = events.map((row) => ({ projectId: row.projectId, identity: row.eventId }));
    expect((await store.findExisting(keys)).size).toBe(5_000);
  });
}
