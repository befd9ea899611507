import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { append, event, eventId, filter, item, NOON, projects } from "../event-store-contract/fixture.ts";
import type { EventRow } from "../events/error-events.ts";
import type { EventStore } from "../events/event-store.ts";
import type { ItemRow } from "../events/items.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { SEGMENT_IDS } from "./event-id-filter.ts";
import { createDuckdbEventDatabase, type DuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { ITEM_IDENTITIES, identifiedItem } from "./fixtures/identified-item.ts";
import { openTestDatabase } from "./fixtures/open-test-database.ts";

const BATCH = 16_384;

async function appendMany(store: EventStore, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += BATCH) {
    const events: EventRow[] = [];
    for (let sequence = start; sequence < Math.min(to, start + BATCH); sequence++) {
      events.push(event(sequence, { at: NOON + sequence, title: "" }));
    }
    await append(store, events);
  }
}

/** The store must have been closed. */
async function readSavedSegments(files: DuckdbEventDatabase, table: string): Promise<SqlRow[]> {
  const database = await openTestDatabase(files);
  const rows = await database.read(`SELECT segment::INTEGER AS segment FROM ${table} ORDER BY segment`);
  await database.close();
  return rows;
}

test("knows every id across segments, after opening again, and after the first segment was dropped", async () => {
  await using files = await createDuckdbEventDatabase();
  const count = SEGMENT_IDS + 5_000;
  const samples = [0, 1, SEGMENT_IDS - 1, SEGMENT_IDS, count - 1];
  const keys = [...samples, count].map((sequence) => ({ projectId: 1, identity: eventId(sequence) }));
  const known = new Set(samples.map((sequence) => `1:${eventId(sequence)}`));

  const store = await files.open();
  await appendMany(store, 0, count);
  expect(await store.findExisting(keys)).toEqual(known);
  await store.close();

  expect(await readSavedSegments(files, "event_id_filters")).toEqual([{ segment: 0 }]);

  const again = await files.open();
  expect(await again.findExisting(keys)).toEqual(known);
  for (const sequence of samples)
    expect((await again.getEvent(eventId(sequence), projects(1, 2, 3)))?.sequence).toBe(sequence);
  expect(
    await append(again, [event(count, { eventId: eventId(0) }), event(count + 1, { at: NOON + count + 1 })]),
  ).toEqual({
    stored: 1,
    duplicates: 1,
  });
  expect(await again.findNeighbours(filter(), eventId(SEGMENT_IDS))).toMatchObject({
    previousEventId: eventId(SEGMENT_IDS - 1),
    nextEventId: eventId(SEGMENT_IDS + 1),
    place: SEGMENT_IDS + 1,
  });

  expect(
    await again.dropBefore(
      toCutoffs(() => NOON + SEGMENT_IDS + 1),
      NOON,
    ),
  ).toBe(SEGMENT_IDS + 1);
  expect(await again.findExisting(keys)).toEqual(new Set([`1:${eventId(count - 1)}`]));
  expect((await again.getEvent(eventId(count - 1), projects(1, 2, 3)))?.sequence).toBe(count - 1);
  await again.close();
  const last = await files.open();
  expect(await last.findExisting(keys)).toEqual(new Set([`1:${eventId(count - 1)}`]));
});

test("knows the identities of items in the same way, and counts only those that have one into segments", async () => {
  await using files = await createDuckdbEventDatabase();
  const count = SEGMENT_IDS + 5_000;
  const samples = [0, 1, SEGMENT_IDS - 1, SEGMENT_IDS, count - 1];
  const toKey = (sequence: number) => ({ projectId: 1, identity: eventId(ITEM_IDENTITIES + sequence) });
  const keys = [...samples, count].map(toKey);
  const known = new Set(samples.map((sequence) => `1:${toKey(sequence).identity}`));

  const store = await files.open();
  for (let start = 0; start < count; start += BATCH) {
    const items: ItemRow[] = [];
    for (let sequence = start; sequence < Math.min(count, start + BATCH); sequence++) {
      items.push(identifiedItem(sequence, { receivedAt: NOON + sequence }));
      if (sequence % 8 === 0) items.push(item(sequence, { type: "log", receivedAt: NOON + sequence }));
    }
    await append(store, [], items);
  }
  expect(await store.findExisting(keys)).toEqual(known);
  await store.close();
  expect(await readSavedSegments(files, "item_identity_filters")).toEqual([{ segment: 0 }]);

  const again = await files.open();
  expect(await again.findExisting(keys)).toEqual(known);
  const repeated = identifiedItem(count, { identity: toKey(0).identity });
  const late = identifiedItem(count + 1, { receivedAt: NOON + count + 1 });
  expect(await append(again, [], [repeated, late])).toEqual({ stored: 1, duplicates: 1 });

  await again.dropBefore(
    toCutoffs(() => NOON + SEGMENT_IDS + 1),
    NOON,
  );
  const left = new Set([count - 1, count + 1].map((sequence) => `1:${toKey(sequence).identity}`));
  expect(await again.findExisting([...keys, toKey(count + 1)])).toEqual(left);
  await again.close();
  expect(await readSavedSegments(files, "item_identity_filters")).toEqual([]);
  const last = await files.open();
  expect(await last.findExisting([...keys, toKey(count + 1)])).toEqual(left);
});
