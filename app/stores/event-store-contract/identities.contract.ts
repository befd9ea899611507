import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  item,
  listSequences,
  NOON,
  openStore,
  projects,
} from "./fixture.ts";

const identified = (sequence: number, number: number, change: Parameters<typeof item>[1] = {}) =>
  item(sequence, { type: "transaction", traceId: "t", identity: eventId(number), ...change });

async function listItemSequences(store: EventStore, projectIds = projects(1)): Promise<number[]> {
  return (await store.listItems({ projectIds, traceId: "t" })).map((row) => row.sequence);
}

export function describeIdentities(createDatabase: CreateEventDatabase): void {
  test("an item whose identity the project has is a duplicate, whenever it came", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [], [identified(0, 42)]);
    await append(store, [event(1)]);
    expect(await append(store, [], [identified(2, 42), identified(3, 43)])).toEqual({ stored: 1, duplicates: 1 });
    expect(await listItemSequences(store)).toEqual([0, 3]);
    await store.close();
    const again = await database.open();
    expect(await append(again, [], [identified(4, 42), identified(5, 43), identified(6, 44)])).toEqual({
      stored: 1,
      duplicates: 2,
    });
    expect(await listItemSequences(again)).toEqual([0, 3, 6]);
  });

  test("an identity twice in one batch is one item, the first", async () => {
    await using store = await openStore(createDatabase);
    const items = [identified(0, 42), item(0, { itemIndex: 2 }), identified(1, 42), identified(1, 43)];
    expect(await append(store, [], items)).toEqual({ stored: 3, duplicates: 1 });
    expect(await listItemSequences(store)).toEqual([0, 1]);
  });

  test("items without an identity are never duplicates", async () => {
    await using store = await openStore(createDatabase);
    const plain = (sequence: number) => item(sequence, { traceId: "t", eventId: eventId(42) });
    await append(store, [event(0, { eventId: eventId(42) })], [plain(0), plain(0)]);
    expect(await append(store, [], [plain(1)])).toEqual({ stored: 1, duplicates: 0 });
    expect(await listItemSequences(store)).toEqual([0, 0, 1]);
  });

  test("events and items share their identities: the one that came first counts", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { eventId: eventId(1) })], [identified(0, 2)]);
    expect(await append(store, [event(1, { eventId: eventId(2) })], [identified(1, 1)])).toEqual({
      stored: 0,
      duplicates: 2,
    });
    const events = [event(3, { eventId: eventId(3) }), event(4, { eventId: eventId(4) })];
    expect(await append(store, events, [identified(2, 3), identified(5, 4)])).toEqual({ stored: 2, duplicates: 2 });
    expect(await listSequences(store)).toEqual([4, 0]);
    expect(await listItemSequences(store)).toEqual([0, 2]);
  });

  test("of an event and an item of one record the event counts", async () => {
    await using store = await openStore(createDatabase);
    expect(await append(store, [event(0, { eventId: eventId(7) })], [identified(0, 7)])).toEqual({
      stored: 1,
      duplicates: 1,
    });
    expect(await listSequences(store)).toEqual([0]);
  });

  test("two projects may have the same identity", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [], [identified(0, 42)]);
    expect(await append(store, [], [identified(1, 42, { projectId: 2 })])).toEqual({ stored: 1, duplicates: 0 });
    expect(await listItemSequences(store, projects(2))).toEqual([1]);
  });

  test("says which identities are stored, of events and items", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0)], [identified(0, 50), identified(1, 51, { projectId: 2 })]);
    const ask = (projectId: number, number: number) => ({ projectId, identity: eventId(number) });
    expect(await store.findExisting([ask(1, 0), ask(1, 50), ask(1, 51), ask(2, 51), ask(2, 50), ask(1, 99)])).toEqual(
      new Set([`1:${eventId(0)}`, `1:${eventId(50)}`, `2:${eventId(51)}`]),
    );
  });

  test("a replay that overlaps what is applied adds only what is new", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [], [identified(0, 1), identified(1, 2)]);
    // The record of sequence 0 holds another item than before: it was applied, and is not looked at again.
    expect(await append(store, [], [identified(0, 9), identified(1, 2), identified(2, 9)])).toEqual({
      stored: 1,
      duplicates: 2,
    });
    expect(await listItemSequences(store)).toEqual([0, 1, 2]);
  });

  test("a batch with an invalid identity is refused whole, and the next one is taken", async () => {
    await using store = await openStore(createDatabase);
    await expect(append(store, [event(0)], [identified(0, 1), item(1, { identity: "no hex" })])).rejects.toThrow(
      /identity/,
    );
    expect(await append(store, [event(0)], [identified(0, 1)])).toEqual({ stored: 2, duplicates: 0 });
  });

  test("an identity may come again when its retention is over, in a record that is new", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [], [identified(0, 1), identified(1, 2, { at: NOON + DAY_MS })]);
    expect(
      await store.dropBefore(
        toCutoffs(() => NOON + 1),
        NOON + 1,
      ),
    ).toBe(1);
    expect(await append(store, [], [identified(2, 1), identified(3, 2)])).toEqual({ stored: 1, duplicates: 1 });
    expect(
      await store.dropBefore(
        toCutoffs(() => NOON + 2 * DAY_MS),
        NOON,
      ),
    ).toBe(2);
    await append(store, [], [identified(4, 3)]);
    await store.close();
    const again = await database.open();
    expect(await append(again, [], [identified(5, 3), identified(6, 2)])).toEqual({ stored: 1, duplicates: 1 });
  });

  test("stores a batch of thousands of items with an identity, and knows each of them", async () => {
    await using store = await openStore(createDatabase);
    const sequences = Array.from({ length: 5_000 }, (_, sequence) => sequence);
    const items = sequences.map((sequence) => (sequence % 3 === 0 ? item(sequence) : identified(sequence, sequence)));
    expect(await append(store, [], items)).toEqual({ stored: 5_000, duplicates: 0 });
    const keys = sequences.map((number) => ({ projectId: 1, identity: eventId(number) }));
    expect((await store.findExisting(keys)).size).toBe(sequences.filter((sequence) => sequence % 3 !== 0).length);
    const replayed = items.map((row) => ({ ...row, sequence: row.sequence + 10_000 }));
    expect(await append(store, [], replayed)).toEqual({ stored: 1_667, duplicates: 3_333 });
  });
}
