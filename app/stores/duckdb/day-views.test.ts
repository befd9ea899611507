import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { ALWAYS } from "../../domain/search/condition.ts";
import { DAY_MS } from "../../domain/time.ts";
import { NOON, projects } from "../event-store-contract/fixture.ts";
import { appendSpans, log, span, spanId } from "../event-store-contract/span-fixture.ts";
import type { EventStore } from "../events/event-store.ts";
import { mayHave } from "./day-views.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

const TODAY = Math.floor(NOON / DAY_MS);
const YESTERDAY = TODAY - 1;
const at = (day: number, ms = 0) => NOON + (day - TODAY) * DAY_MS + ms;

const traceOf = (day: number) => String(day).padStart(32, "0");

/** Two spans of a trace of each day, a minute apart; those of the day lie in a file. */
async function storeTwoDays(store: EventStore): Promise<void> {
  const spans = [YESTERDAY, TODAY].flatMap((day, index) =>
    [0, 60_000].map((ms, later) =>
      span(index * 2 + later, {
        receivedAt: at(day, ms),
        startedUs: at(day, ms) * 1000,
        traceId: traceOf(day),
        op: `of ${day}`,
      }),
    ),
  );
  await appendSpans(store, spans);
  // As the job does: what is not summed is read from all files otherwise.
  while (await store.rollUp(at(TODAY, DAY_MS)));
  for (const day of [YESTERDAY, TODAY]) {
    const moved = await store.movedDays.move({ day, signal: "spans" });
    if (moved) await store.movedDays.noteStripped(moved);
  }
}

async function findBetween(store: EventStore, from: number, to: number): Promise<string[]> {
  const filter = { projectIds: projects(1), from, to, where: ALWAYS };
  const { spans } = await store.findSpans(filter, { order: "newest", cursor: null, limit: 10 });
  const { traces } = await store.findTraces(filter, { cursor: null, limit: 10 });
  // By a key that sums do not have: it reads rows.
  const by = [{ name: "kind", isTag: false }];
  const { totals } = await store.sumFoundSpans(filter, { by, bucketMs: null, limit: 1 });
  const matched = traces.reduce((sum, trace) => sum + trace.matched, 0);
  expect([matched, totals.reduce((sum, total) => sum + total.spans, 0)]).toEqual([spans.length, spans.length]);
  return spans.map((found) => found.spanId).sort();
}

test("a search of a time reads the files that may have rows of it, to the microsecond", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1 });
  const store = await database.open();
  await storeTwoDays(store);
  const ids = (...sequences: number[]) => sequences.map((sequence) => spanId(sequence + 1));
  expect(await findBetween(store, at(YESTERDAY), at(TODAY, 60_001))).toEqual(ids(0, 1, 2, 3));
  expect(await findBetween(store, at(YESTERDAY, 60_000), at(TODAY, 1))).toEqual(ids(1, 2));
  expect(await findBetween(store, at(YESTERDAY, 60_001), at(TODAY))).toEqual([]);
});

test("a file without rows of the time is not looked at", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1 });
  const store = await database.open();
  await storeTwoDays(store);
  const [{ name } = { name: "" }] = store.movedDays.list() as unknown as Array<{ name: string }>;
  await rm(join(database.folder, "days", name));
  expect(await findBetween(store, at(TODAY), at(TODAY, 60_001))).toHaveLength(2);
  expect(store.movedDays.listDamaged()).toEqual([]);
  // What needs it finds that it is gone, and is read again without it.
  expect(await findBetween(store, at(YESTERDAY), at(TODAY, 60_001))).toHaveLength(2);
  expect(store.movedDays.listDamaged()).toMatchObject([{ name, day: YESTERDAY }]);
});

test("a trace reads the files that may have rows of it", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1 });
  const store = await database.open();
  await storeTwoDays(store);
  const [{ name } = { name: "" }] = store.movedDays.list() as unknown as Array<{ name: string }>;
  await rm(join(database.folder, "days", name));
  const ofDay = (day: number) => ({ projectIds: projects(1), traceId: traceOf(day) });
  const { count, ordinals } = await store.readTraceSpans({ ...ofDay(TODAY), limit: 10 });
  expect(count).toBe(2);
  expect((await store.readSpan(ofDay(TODAY), ordinals[0] ?? 0))?.spanId).toBe(spanId(3));
  expect(await store.listSpans({ ...ofDay(TODAY), limit: 10 })).toHaveLength(2);
  expect(await store.findTraceSpans({ ...ofDay(TODAY), limit: 10 }, ALWAYS)).toEqual(ordinals);
  expect(store.movedDays.listDamaged()).toEqual([]);
  expect(await store.readTraceSpans({ ...ofDay(YESTERDAY), limit: 10 })).toMatchObject({ count: 0 });
  expect(store.movedDays.listDamaged()).toMatchObject([{ name, day: YESTERDAY }]);
});

test("a trace of spans that were sent by themselves does not look at files of transactions", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1 });
  const store = await database.open();
  const of = (sequence: number, day: number, category: "span" | "transaction") =>
    span(sequence, { receivedAt: at(TODAY), startedUs: at(TODAY) * 1000, traceId: traceOf(day), category });
  // Ordinals of each file are around those of the other.
  await appendSpans(store, [of(0, 1, "span"), of(1, 2, "transaction"), of(2, 1, "span"), of(3, 2, "transaction")]);
  while (await store.rollUp(at(TODAY, DAY_MS)));
  for (const signal of ["spans", "transactions"] as const) await store.movedDays.move({ day: TODAY, signal });
  const names = store.movedDays.list() as unknown as Array<{ name: string }>;
  const { name } = names.find((file) => file.name.includes("transactions")) ?? { name: "" };
  await rm(join(database.folder, "days", name));
  const ofTrace = (day: number) => ({ projectIds: projects(1), traceId: traceOf(day), limit: 10 });
  expect(await store.readTraceSpans(ofTrace(1))).toMatchObject({ count: 2 });
  expect(store.movedDays.listDamaged()).toEqual([]);
  expect(await store.readTraceSpans(ofTrace(2))).toMatchObject({ count: 0 });
  expect(store.movedDays.listDamaged()).toMatchObject([{ name }]);
});

test("a page of log lines and a line read the files that may have them", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1 });
  const store = await database.open();
  const lines = [YESTERDAY, TODAY].map((day, sequence) =>
    log(sequence, { receivedAt: at(day), occurredUs: at(day) * 1000 }),
  );
  await appendSpans(store, [], lines);
  while (await store.rollUp(at(TODAY, DAY_MS)));
  for (const day of [YESTERDAY, TODAY]) await store.movedDays.move({ day, signal: "logs" });
  const [{ name } = { name: "" }] = store.movedDays.list() as unknown as Array<{ name: string }>;
  await rm(join(database.folder, "days", name));
  const filter = { projectIds: projects(1), where: ALWAYS };
  const page = { limit: 10, budgetMs: Number.POSITIVE_INFINITY };
  const today = await store.findLogs({ ...filter, from: at(TODAY), to: at(TODAY, 1) }, page);
  expect(today.lines).toMatchObject([{ sequence: 1 }]);
  const id = today.lines[0]?.id ?? "";
  expect(await store.getLog(filter.projectIds, id)).toMatchObject({ sequence: 1, id });
  expect(await store.listLogsAt(filter.projectIds, at(TODAY) * 1000, 10)).toHaveLength(1);
  const before = { id, ordinal: today.lines[0]?.ordinal };
  expect((await store.findLogs({ ...filter, from: at(TODAY), to: at(TODAY, 1) }, { ...page, before })).lines).toEqual(
    [],
  );
  expect(store.movedDays.listDamaged()).toEqual([]);
  expect((await store.findLogs({ ...filter, from: at(YESTERDAY), to: at(TODAY, 1) }, page)).lines).toHaveLength(1);
  expect(store.movedDays.listDamaged()).toMatchObject([{ name, day: YESTERDAY }]);
});

test("the bounds of a file that an earlier version wrote are read when the store is opened, and noted", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1 });
  const before = await database.open();
  await storeTwoDays(before);
  await before.close();
  await changeNotes(database.path, "UPDATE moved_days SET head = json_merge_patch(head, '{\"bounds\": null}')");
  const store = await database.open();
  expect(await findBetween(store, at(TODAY), at(TODAY, 60_001))).toHaveLength(2);
  await store.close();
  const heads = await changeNotes(database.path, "SELECT head FROM moved_days ORDER BY name");
  expect(heads.map(({ head }) => JSON.parse(String(head)).bounds)).toEqual(
    [YESTERDAY, TODAY].map((day, index) => ({
      ...{ firstUs: at(day) * 1000, lastUs: at(day, 60_000) * 1000 },
      ...{ firstOrdinal: 2 * index, lastOrdinal: 2 * index + 1 },
    })),
  );
});

test.each([
  [{}, true],
  [{ fromUs: 20 }, true],
  [{ fromUs: 21 }, false],
  [{ toUs: 11 }, true],
  [{ toUs: 10 }, false],
  [{ firstOrdinal: 4 }, true],
  [{ firstOrdinal: 5 }, false],
  [{ lastOrdinal: 3 }, true],
  [{ lastOrdinal: 2 }, false],
  [{ category: "span" }, true],
  [{ category: "transaction" }, false],
  [{ fromUs: 11, toUs: 12, firstOrdinal: 4, lastOrdinal: 4 }, true],
] as const)(
  "whether a file of microseconds 10 to 20 and ordinals 3 to 4 may have rows of %j: %j",
  (range, expected) => {
    const bounds = { firstUs: 10, lastUs: 20, firstOrdinal: 3, lastOrdinal: 4 };
    expect(mayHave({ signal: "spans", bounds }, range)).toBe(expected);
    // Files of earlier versions do not say.
    expect(mayHave({ signal: "spans" }, range)).toBe(!("category" in range) || expected);
  },
);

async function changeNotes(path: string, sql: string): Promise<Array<Record<string, unknown>>> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}
