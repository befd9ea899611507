import { expect, test } from "vitest";
import type { EventRow } from "../event-store.ts";
import { append, event, eventId, filter, NOON } from "../event-store-contract/fixture.ts";
import { DuckdbDatabase } from "./duckdb-database.ts";
import { SEGMENT_EVENTS } from "./event-id-filter.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import type { DuckdbEventStore } from "./open-duckdb-event-store.ts";

const BATCH = 16_384;

async function appendMany(store: DuckdbEventStore, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += BATCH) {
    const events: EventRow[] = [];
    for (let sequence = start; sequence < Math.min(to, start + BATCH); sequence++) {
      events.push(event(sequence, { at: NOON + sequence, title: "" }));
    }
    await append(store, events);
  }
}

test("knows every id across segments, after opening again, and after the first segment was dropped", {
  timeout: 120_000,
}, async () => {
  await using files = await createDuckdbEventDatabase();
  const count = SEGMENT_EVENTS + 5_000;
  const samples = [0, 1, SEGMENT_EVENTS - 1, SEGMENT_EVENTS, count - 1];
  const keys = [...samples, count].map((sequence) => ({ projectId: 1, eventId: eventId(sequence) }));
  const known = new Set(samples.map((sequence) => `1:${eventId(sequence)}`));

  const store = await files.open();
  await appendMany(store, 0, count);
  expect(await store.findExisting(keys)).toEqual(known);
  await store.close();

  const database = await DuckdbDatabase.open({
    path: files.path,
    tempDir: `${files.folder}/temp`,
    memoryLimitMb: 64,
    threads: 1,
    readerCount: 1,
    readTimeoutMs: 20_000,
  });
  expect(await database.read("SELECT segment::INTEGER AS segment FROM event_id_filters")).toEqual([{ segment: 0 }]);
  await database.close();

  const again = await files.open();
  expect(await again.findExisting(keys)).toEqual(known);
  for (const sequence of samples) expect((await again.getEvent(eventId(sequence), null))?.sequence).toBe(sequence);
  expect(
    await append(again, [event(count, { eventId: eventId(0) }), event(count + 1, { at: NOON + count + 1 })]),
  ).toEqual({
    stored: 1,
    duplicates: 1,
  });
  expect(await again.findNeighbours(filter(), eventId(SEGMENT_EVENTS))).toMatchObject({
    previousEventId: eventId(SEGMENT_EVENTS - 1),
    nextEventId: eventId(SEGMENT_EVENTS + 1),
    place: SEGMENT_EVENTS + 1,
  });

  expect(await again.dropBefore(NOON + SEGMENT_EVENTS + 1, NOON)).toBe(SEGMENT_EVENTS + 1);
  expect(await again.findExisting(keys)).toEqual(new Set([`1:${eventId(count - 1)}`]));
  expect((await again.getEvent(eventId(count - 1), null))?.sequence).toBe(count - 1);
  await again.close();
  const last = await files.open();
  expect(await last.findExisting(keys)).toEqual(new Set([`1:${eventId(count - 1)}`]));
});
