import { expect, test } from "vitest";
import type { EventStore } from "../events/event-store.ts";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  filter,
  item,
  JOURNAL,
  listSequences,
  NOON,
  openStore,
  projects,
  toRowBatch,
} from "./fixture.ts";

const [NEW, ALL] = [eventId(4), projects(1, 2, 3)];

/** While nothing can be stored, as beside a checkpoint. */
async function beforeStoring(store: EventStore, action: () => Promise<void>): Promise<void> {
  const held = await store.holdFiles(action);
  held.release();
}

export function describeLoggedEvents(createDatabase: CreateEventDatabase): void {
  test("an event is found by its id, and among others, before it is stored", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(1, { at: NOON - 2, environment: "dev" }),
      event(2, { at: NOON - 1, environment: "production" }),
      event(3, { at: NOON + 1, environment: "production" }),
    ]);
    const added = event(4, { at: NOON, environment: "production" });
    const ofIssue = { issueId: 1 };
    let appended: Promise<unknown> = Promise.resolve();
    await beforeStoring(store, async () => {
      appended = append(store, [added]);
      expect(await store.getEvent(NEW, ALL)).toEqual(added);
      expect(await store.getEvent(NEW, projects(2))).toBeNull();
      expect(await store.findNeighbours(filter(ofIssue), NEW)).toEqual({
        firstEventId: eventId(1),
        latestEventId: eventId(3),
        previousEventId: eventId(2),
        nextEventId: eventId(3),
        place: 3,
        total: 4,
      });
      expect(
        await store.findNeighbours(filter({ ...ofIssue, environments: ["production"], to: NOON + 1 }), NEW),
      ).toEqual({
        firstEventId: eventId(2),
        latestEventId: NEW,
        previousEventId: eventId(2),
        nextEventId: null,
        place: 2,
        total: 2,
      });
      expect(await store.findNeighbours(filter({ issueId: 2 }), NEW)).toBeNull();
      expect(await store.findNeighbours(filter({ ...ofIssue, from: NOON + 1 }), NEW)).toBeNull();
      expect(await store.findNeighbours(filter({ ...ofIssue, to: NOON }), NEW)).toBeNull();
      expect(await store.findNeighbours(filter({ ...ofIssue, environments: ["dev"] }), NEW)).toBeNull();
    });
    await appended;
    expect(await store.getEvent(NEW, ALL)).toEqual(added);
    expect(await listSequences(store)).toEqual([3, 4, 2, 1]);
    expect((await store.findNeighbours(filter(ofIssue), NEW))?.place).toBe(3);
  });

  test("the first event of an issue is alone before it is stored", async () => {
    await using store = await openStore(createDatabase);
    await beforeStoring(store, async () => {
      void append(store, [event(4, { issueId: 9 })]);
      expect(await store.findNeighbours(filter({ issueId: 9 }), NEW)).toEqual({
        firstEventId: NEW,
        latestEventId: NEW,
        previousEventId: null,
        nextEventId: null,
        place: 1,
        total: 1,
      });
    });
  });

  test("what takes the database waits until the event is stored: other filters, and what came with it", async () => {
    await using store = await openStore(createDatabase);
    const asked: Array<Promise<unknown>> = [];
    await beforeStoring(store, async () => {
      void append(store, [event(4, { tags: [["a", "b"]] })], [item(4, { eventId: NEW })]);
      asked.push(
        store.findNeighbours(filter({ tags: [{ key: "a", value: "b" }] }), NEW).then((found) => found?.total),
        store.listItems({ projectIds: projects(1), eventId: NEW, types: ["attachment"] }).then(({ length }) => length),
      );
    });
    expect(await Promise.all(asked)).toEqual([1, 1]);
  });

  test("lists and counts have an event that somebody has found, and do not wait for others", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(1)]);
    const asked: Array<Promise<unknown>> = [];
    await beforeStoring(store, async () => {
      void append(store, [event(4)]);
      expect(await listSequences(store)).toEqual([1]);
      expect(await store.getEvent(NEW, ALL)).not.toBeNull();
      asked.push(
        listSequences(store),
        store.count(filter({ issueId: 1 })).then(({ events }) => events),
      );
    });
    expect(await Promise.all(asked)).toEqual([[4, 1], 2]);
  });

  test("rows are not stored behind a batch that is missing: their position would say that it is there", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(1)]);
    const behind = { ...toRowBatch({ journalId: JOURNAL, upTo: 4, events: [event(3)] }), follows: 3 };
    await expect(store.append(behind)).rejects.toThrow("rows of records below 3 are not stored yet");
    expect(await store.appliedSequence(JOURNAL)).toBe(2);
    expect(await store.getEvent(eventId(3), ALL)).toBeNull();
    await store.append(toRowBatch({ journalId: JOURNAL, upTo: 3, events: [event(2)] }));
    expect(await store.append(behind)).toEqual({ stored: 1, duplicates: 0 });
    expect(await listSequences(store)).toEqual([3, 2, 1]);
  });

  test("rows that are not going to be stored are not found", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(5, { eventId: eventId(5) })]);
    await beforeStoring(store, async () => {
      const events = [event(3), event(6), event(7)];
      void store.append({ ...toRowBatch({ journalId: JOURNAL, upTo: 8, events }), leftOut: [1] });
      const found = await Promise.all([3, 6, 7].map((number) => store.getEvent(eventId(number), ALL)));
      expect(found.map((row) => row?.sequence)).toEqual([undefined, undefined, 7]);
    });
  });

  test("an event that could not be stored is not found any more", async () => {
    await using store = await openStore(createDatabase);
    let appended: Promise<unknown> = Promise.resolve();
    await beforeStoring(store, async () => {
      const batch = toRowBatch({ journalId: JOURNAL, upTo: 5, events: [event(4)] });
      const [rows] = batch.rows;
      if (rows) rows.columns.payload_bytes = new TextEncoder().encode("many");
      appended = store.append(batch);
      appended.catch(() => undefined);
      expect((await store.getEvent(NEW, ALL))?.eventId).toBe(NEW);
    });
    await expect(appended).rejects.toThrow();
    expect(await store.getEvent(NEW, ALL)).toBeNull();
  });
}
