import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { event, eventId, filter, JOURNAL, NOON, projects, toRowBatch } from "../event-store-contract/fixture.ts";
import type { EventFilter } from "../events/error-events.ts";
import type { EventStore } from "../events/event-store.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

/** Two pieces of 4,096. The second has too little behind it. */
const EVENTS = 10_000;
const SIZES = { piece: 4_096, unsettled: 2_048, sorted: 1_024 };
const BATCH = 1_000;
const ISSUES = 17;

function storedEvent(sequence: number) {
  return event(sequence, {
    issueId: 1 + ((sequence * 31) % ISSUES),
    at: NOON + ((sequence * 7_919) % EVENTS),
    userKey: sequence % 3 === 0 ? null : `id:${sequence % 500}`,
    environment: ["production", "dev", null][sequence % 3] as string | null,
    release: `web@${sequence % 5}`,
    tags: [["number", String(sequence % 11)]],
  });
}

async function fill(store: EventStore, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, to - at) }, (_, index) => storedEvent(at + index));
    await store.append(toRowBatch({ journalId: JOURNAL, upTo: at + events.length, events }));
  }
}

/** Whatever a page may ask of some issues, and of all. */
async function ask(store: EventStore) {
  const filters: EventFilter[] = [
    filter({ issueId: 5 }),
    filter({ issueId: 5, environments: ["dev"], from: NOON + 1_000, to: NOON + 9_000 }),
    filter({ issueId: 16, tags: [{ key: "number", value: "4" }] }),
    filter({ words: ["number", "777"] }),
  ];
  const range = { from: NOON, to: NOON + 10_000 };
  const answers = [];
  for (const one of filters) {
    const list = await store.listEvents(one, { cursor: null, limit: 20 });
    const next = await store.listEvents(one, { cursor: list.nextCursor, limit: 20 });
    const [latest, first] = [await store.findEdge(one, "latest"), await store.findEdge(one, "first")];
    answers.push({
      ids: [...list.events, ...next.events].map((row) => row.eventId),
      edges: [latest, first],
      neighbours: await store.findNeighbours(one, list.events[7]?.eventId ?? eventId(1)),
      counts: await store.count(one),
      overTime: await store.countOverTime({ ...one, ...range }, 1_000),
      tags: await store.tagDistributions(one, { valuesPerKey: 4 }),
      columns: await store.tagDistributions(one, { keys: ["release", "environment"], valuesPerKey: 3 }),
    });
  }
  const ids = [0, 1, 4_095, 4_096, 8_000, EVENTS - 1].map(eventId);
  const rows = await Promise.all(ids.map((id) => store.getEvent(id, projects(1, 2, 3))));
  return { answers, rows };
}

test("events are settled a piece at a time, and every answer stays the same, also after opening again", async () => {
  await using database = await createDuckdbEventDatabase({ settlingSizes: SIZES });
  const store = await database.open();
  await fill(store, 0, EVENTS);
  const before = await ask(store);
  expect(before.rows.every((row) => row !== null)).toBe(true);

  expect(await store.settle()).toBe(true);
  expect(await store.settle()).toBe(false);
  expect(await ask(store)).toEqual(before);

  await store.close();
  const opened = await database.open();
  expect(await opened.settle()).toBe(false);
  expect(await ask(opened)).toEqual(before);
  const again = await opened.append(
    toRowBatch({ journalId: "00112233445566bb", upTo: 1, events: [storedEvent(5)], items: [] }),
  );
  expect(again).toEqual({ stored: 0, duplicates: 1 });

  await fill(opened, EVENTS, EVENTS + 3_000);
  expect(await opened.settle()).toBe(true);
  expect(
    await opened.dropBefore(
      toCutoffs(() => NOON + 6_000),
      NOON,
    ),
  ).toBe(
    Array.from({ length: EVENTS + 3_000 }, (_, index) => storedEvent(index)).filter(
      ({ receivedAt }) => receivedAt < NOON + 6_000,
    ).length,
  );
  expect((await opened.count(filter({ from: null, to: NOON + 6_000 }))).events).toBe(0);
  expect(await opened.settle()).toBe(false);
});

test("what is counted of rows that are held is what SQL counts, also when rows have come since", async () => {
  await using database = await createDuckdbEventDatabase();
  const store = await database.open();
  await fill(store, 0, 2_000);
  const held = filter({ issueId: 9, from: NOON + 500, to: NOON + 100_000 });
  // Takes all events, and no column that is held.
  const asked = { ...held, tags: [{ key: "number", value: "none", isNegated: true }] };
  const range = { from: NOON + 500, to: NOON + 100_000 };
  for (const upTo of [2_000, 2_001, 4_000]) {
    if (upTo > 2_000) await fill(store, upTo === 4_000 ? 2_001 : 2_000, upTo);
    expect(await store.count(held)).toEqual(await store.count(asked));
    expect(await store.countOverTime({ ...held, ...range }, 7_000)).toEqual(
      await store.countOverTime({ ...asked, ...range }, 7_000),
    );
    const [latest] = (await store.listEvents(held, { cursor: null, limit: 1 })).events;
    expect(await store.findEdge(held, "latest")).toEqual(latest);
    for (const place of [0, 3, 40]) {
      const id = (await store.listEvents(held, { cursor: null, limit: 50 })).events[place]?.eventId ?? "";
      expect(await store.findNeighbours(held, id)).toEqual(await store.findNeighbours(asked, id));
    }
    const keys = ["release", "environment"];
    expect(await store.tagDistributions(held, { keys, valuesPerKey: 9 })).toEqual(
      await store.tagDistributions(asked, { keys, valuesPerKey: 9 }),
    );
  }
});
