import { expect, test } from "vitest";
import { ReadLimitError } from "../../domain/read-limit.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { JOURNAL, NOON, projects, toRowBatch } from "../event-store-contract/fixture.ts";
import { appendSpans, countSummed, log, span } from "../event-store-contract/span-fixture.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestEventDatabase } from "./fixtures/open-test-database.ts";
import { RollUp, type RollUpDatabase } from "./roll-up.ts";

const SPANS = 3_000;

test("a piece that needs too much memory is tried again with fewer rows, and each row is summed once", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestEventDatabase(files);
  await database.write(async (connection) => {
    await connection.run(
      `INSERT INTO spans BY NAME SELECT range AS ordinal, 0 AS sequence, 1 AS project_id, range AS received_at, 'span' AS category, 'v2' AS form,
         uuid() AS trace_id, 1 AS span_id, false AS is_segment, range * 1000 AS started_us, 1 AS duration_us
       FROM range(${SPANS})`,
    );
  });
  const tried: number[] = [];
  // As where rows are large: what is beyond 500 of them has no room.
  const withLittleMemory: RollUpDatabase = {
    sourceOf: (table) => table,
    rowsFrom: (table) => table,
    append: (keys, action) => database.append(keys, action),
    transaction: (action) => database.transaction(action),
    async read(sql, values) {
      const text = String(sql);
      const [, from, to] = /FROM spans WHERE ordinal >= (\d+) AND ordinal < (\d+)/.exec(text) ?? [];
      if (from !== undefined && text.includes("memory.main.span_minutes")) {
        tried.push(Number(to) - Number(from));
        if (Number(to) - Number(from) > 500) throw new ReadLimitError("memory");
      }
      return await database.read(sql, values);
    },
  };
  const rollUp = await RollUp.open(withLittleMemory, {
    nextOrdinal: (table) => (table === "spans" ? SPANS : 0),
    rowsAtOnce: 1_000,
  });
  while (await rollUp.run(Number.POSITIVE_INFINITY));
  expect(tried.slice(0, 4)).toEqual([1_000, 250, 275, 303]);
  expect(rollUp.upTo("spans")).toBe(SPANS);
  const [sums] = await database.read("SELECT sum(spans)::DOUBLE AS spans FROM span_minutes");
  expect(sums?.spans).toBe(SPANS);
  await database.close();
});

test("sums are written while batches wait for their log, and have none of their rows", async () => {
  await using files = await createDuckdbEventDatabase();
  const store = await files.open();
  await appendSpans(store, [span(0), span(1)], [log(2)]);
  const logged = Promise.withResolvers<void>();
  const batches = [
    toRowBatch({ journalId: JOURNAL, upTo: 4, spans: [span(3)] }),
    toRowBatch({ journalId: "ffffffffffffffff", upTo: 1, logs: [log(0)] }),
  ];
  const appended = batches.map((batch) => store.append(batch, logged.promise));
  // Spans, transactions, logs, and lines of logs. Merging them is beside nothing.
  for (let piece = 0; piece < 4; piece++) expect(await store.rollUp(Number.POSITIVE_INFINITY)).toBe(true);
  const count = () => countSummed(store, { projectIds: projects(1), from: NOON, to: NOON + MINUTE_MS });
  expect(await count()).toBe(2);
  logged.resolve();
  await Promise.all(appended);
  expect(await count()).toBe(3);
  while (await store.rollUp(Number.POSITIVE_INFINITY));
  expect(await count()).toBe(3);
  await store.close();
});
