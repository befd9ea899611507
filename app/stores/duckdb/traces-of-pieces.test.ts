import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { append, event, eventId, filter, projects } from "../event-store-contract/fixture.ts";
import type { EventStore } from "../events/event-store.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { openTestEventStore } from "./fixtures/duckdb-event-database.ts";
import { toEventsOfTrace } from "./traces-of-pieces.ts";

const PIECE = 10;
const EVENTS = 100;
/** Each has an event in three pieces, and one that is not summed. */
const traceOf = (sequence: number) => eventId(1_000 + (sequence % 25));

async function listTraced(store: EventStore, trace: number): Promise<number[]> {
  const { events } = await store.listEvents(
    { ...filter(), projectIds: projects(1), traceId: eventId(trace) },
    { cursor: null, limit: 100 },
  );
  return events.map(({ sequence }) => sequence).sort((a, b) => a - b);
}

test("the events of a trace are found in the pieces that have some, also where an earlier version summed them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "culprit-traces-"));
  const options = { path: join(folder, "events.duckdb"), tempDir: folder, rowsSummedAtOnce: PIECE };
  const sumAll = async (store: EventStore) => {
    while (await store.rollUp(Number.POSITIVE_INFINITY));
  };
  const compare = async (store: EventStore, count: number) => {
    for (let trace = 0; trace < 25; trace++) {
      const expected = Array.from({ length: count }, (_, sequence) => sequence).filter((each) => each % 25 === trace);
      expect(await listTraced(store, 1_000 + trace)).toEqual(expected);
    }
    expect(await listTraced(store, 9)).toEqual([]);
  };
  try {
    let store = await openTestEventStore(options);
    const all = Array.from({ length: EVENTS + 25 }, (_, sequence) => event(sequence, { traceId: traceOf(sequence) }));
    await append(store, all.slice(0, EVENTS));
    await compare(store, EVENTS);
    await sumAll(store);
    await append(store, all.slice(EVENTS));
    await compare(store, EVENTS + 25);
    await store.close();

    const instance = await DuckDBInstance.create(options.path);
    const connection = await instance.connect();
    const read = async (sql: string, values: string[] = []) =>
      (await connection.runAndReadAll(sql, values)).getRowObjects();
    const database = { read } as unknown as DuckdbDatabase;
    const source = await toEventsOfTrace(database, traceOf(7), EVENTS);
    // A filter may say too much, but seldom does.
    expect(source.split("UNION ALL").length).toBeLessThanOrEqual(6);
    for (const from of [0, 30, 50, 80]) expect(source).toContain(`ordinal >= ${from} AND`);
    expect(source).toContain(`ordinal >= ${EVENTS})`);
    await connection.run("UPDATE event_pieces SET traces = NULL WHERE chunk > 30");
    connection.closeSync();
    instance.closeSync();

    store = await openTestEventStore(options);
    await compare(store, EVENTS + 25);
    await sumAll(store);
    await compare(store, EVENTS + 25);
    await store.close();
    const again = await DuckDBInstance.create(options.path);
    const looking = await again.connect();
    const left = await looking.runAndReadAll("SELECT count(*)::INTEGER FROM event_pieces WHERE traces IS NULL");
    expect(left.getRows()).toEqual([[0]]);
    looking.closeSync();
    again.closeSync();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
