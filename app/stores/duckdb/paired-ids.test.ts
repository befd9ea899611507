import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { DAY_MS } from "../../domain/time.ts";
import { NOON, projects } from "../event-store-contract/fixture.ts";
import { appendSpans, span, spanId, TRACE } from "../event-store-contract/span-fixture.ts";
import { type DayFileHead, quoteSql } from "./day-file.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

const DAY = Math.floor(NOON / DAY_MS);
const ALL = { projectIds: projects(1), traceId: TRACE, limit: 100 };
const NONE = "0".repeat(16);
const HIGHEST = "f".repeat(16);
const spans = [
  span(0),
  span(1, { parentSpanId: spanId(1) }),
  span(2, { parentSpanId: NONE }),
  span(3, { spanId: NONE, parentSpanId: HIGHEST }),
  span(4, { spanId: HIGHEST }),
  span(5, { parentSpanId: spanId(2) }),
];

async function ask(action: (connection: DuckDBConnection) => Promise<unknown>) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const result = await action(connection);
  connection.closeSync();
  instance.closeSync();
  return result;
}

/** As versions wrote it that had two columns. */
async function writeAsBefore(path: string): Promise<void> {
  await ask(async (connection) => {
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()[0];
    const kept = await read(
      `SELECT decode(value) AS head FROM parquet_kv_metadata(${quoteSql(path)}) WHERE decode(key) = 'culprit'`,
    );
    const rows = `SELECT * EXCLUDE (ids), ids[1] AS span_id, ids[2] AS parent_span_id FROM read_parquet(${quoteSql(path)})`;
    const names = await connection.runAndReadAll(`SELECT column_name FROM (DESCRIBE ${rows})`);
    const columns = names.getRowObjectsJson().map(({ column_name }) => column_name);
    const hashed = await read(`SELECT bit_xor(hash(${columns.join(", ")}))::VARCHAR AS hash FROM (${rows})`);
    const head: DayFileHead = { ...JSON.parse(String(kept?.head)), version: 1, hash: String(hashed?.hash) };
    await connection.run(
      `COPY (${rows}) TO ${quoteSql(`${path}.old`)} (FORMAT parquet, KV_METADATA {culprit: ${quoteSql(JSON.stringify(head))}})`,
    );
    await rename(`${path}.old`, path);
  });
}

test("ids of spans and of their parents are read back, also from files of versions that had two columns, and beside these", async () => {
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1, rowsOfSlice: 1 });
  const days = join(database.folder, "days");
  let store = await database.open();
  const move = async () => {
    const moved = await store.movedDays.move({ day: DAY, signal: "spans" });
    if (moved) await store.movedDays.noteStripped(moved);
  };
  await appendSpans(store, spans.slice(0, 5));
  const before = await store.listSpans(ALL);
  expect(before.map(({ spanId: id, parentSpanId }) => [id, parentSpanId])).toEqual(
    spans.slice(0, 5).map(({ spanId: id, parentSpanId }) => [id, parentSpanId]),
  );
  await move();
  expect(await store.listSpans(ALL)).toEqual(before);
  await store.close();
  const [name] = await readdir(days);
  const path = join(days, String(name));
  const columnsOf = (file: string) =>
    ask(async (connection) =>
      (
        await connection.runAndReadAll(
          `SELECT list(column_name) AS names FROM (DESCRIBE FROM read_parquet(${quoteSql(file)}))`,
        )
      ).getRowObjectsJson(),
    );
  expect(JSON.stringify(await columnsOf(path))).toContain('"ids"');
  await writeAsBefore(path);
  expect(JSON.stringify(await columnsOf(path))).toContain('"parent_span_id"');

  store = await database.open();
  expect(store.movedDays.listDamaged()).toEqual([]);
  expect(await store.listSpans(ALL)).toEqual(before);
  await appendSpans(store, spans.slice(5));
  await move();
  expect(store.movedDays.list()).toHaveLength(2);
  const all = await store.listSpans(ALL);
  expect(all).toHaveLength(6);
  expect(all.at(-1)).toMatchObject({ spanId: spanId(6), parentSpanId: spanId(2) });
  expect(await store.movedDays.join({ day: DAY, signal: "spans" })).toBe(true);
  expect(await store.listSpans(ALL)).toEqual(all);
  await store.close();
  const [joined] = await readdir(days);
  expect(JSON.stringify(await columnsOf(join(days, String(joined))))).toContain('"ids"');
});
