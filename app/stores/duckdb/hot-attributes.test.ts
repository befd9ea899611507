import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import { NOON, projects } from "../event-store-contract/fixture.ts";
import { appendSpans, log, span, spanId } from "../event-store-contract/span-fixture.ts";
import type { EventStore } from "../events/event-store.ts";
import { toHotColumn } from "./attribute-sql.ts";
import { createDuckdbEventDatabase, type DuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

const DAY = Math.floor(NOON / DAY_MS);
const FILTER = { projectIds: projects(1), from: NOON - 30 * DAY_MS, to: NOON + 30 * DAY_MS };
const TIER = "customer/Tier~2";
const SEARCHES = [`tags[${TIER}]:gold`, `has:${TIER}`, `!tags[${TIER}]:g*`, `tags[${TIER}]:7`];

async function find(store: EventStore, search: string) {
  const { condition, errors } = bindSearch(parseSearch(search).tree, SPAN_VOCABULARY, NOON);
  expect(errors).toEqual([]);
  const page = { order: "newest", cursor: null, limit: 50, keys: [{ name: TIER, isTag: true }] } as const;
  const { spans } = await store.findSpans({ ...FILTER, where: condition }, page);
  return spans.map(({ spanId: id, values }) => `${id} ${values[0]}`).sort();
}

async function findAll(store: EventStore) {
  const found = [];
  for (const search of SEARCHES) found.push(await find(store, search));
  return found;
}

/** Waits until what a search has noted is written. */
async function searchOn(database: { day: number }, store: EventStore, day: number): Promise<void> {
  database.day = day;
  await find(store, `has:${TIER}`);
  await store.dropBefore(
    toCutoffs(() => 0),
    0,
  );
}

async function columnsOf({ folder }: DuckdbEventDatabase): Promise<Record<string, string[]>> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const sql = `SELECT parse_filename(file_name) AS file, list(name ORDER BY name) FILTER (starts_with(name, 'hot_')) AS hot
    FROM parquet_schema('${join(folder, "days")}/*.parquet') GROUP BY ALL`;
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  instance.closeSync();
  return Object.fromEntries(rows.map(({ file, hot }) => [String(file), (hot ?? []) as string[]]));
}

/** One with the attribute, one with another that differs in case, and one that has it with its type. */
function spansOf(day: number) {
  const receivedAt = NOON + (day - DAY) * DAY_MS;
  return [{ [TIER]: "gold" }, { [TIER.toLowerCase()]: "gold" }, { [TIER]: { type: "string", value: "7" } }].map(
    (attributes, at) => {
      const sequence = (day - DAY + 40) * 3 + at;
      return span(sequence, { receivedAt, startedUs: receivedAt * 1000, attributes: JSON.stringify(attributes) });
    },
  );
}

test("an attribute that is searched on two days has a column in new files, until nobody has searched it for two weeks", async () => {
  const clock = { day: DAY };
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1, now: () => clock.day * DAY_MS });
  let store = await database.open();
  await appendSpans(
    store,
    [0, 1, 2].flatMap((later) => spansOf(DAY + later)),
  );
  const before = await findAll(store);
  expect(before[0]).toHaveLength(3);
  expect(before[0]?.[0]).toBe(`${spanId(121)} gold`);
  const move = async (day: number) => {
    const moved = await store.movedDays.move({ day, signal: "spans" });
    if (moved) await store.movedDays.noteStripped(moved);
  };
  await searchOn(clock, store, DAY);
  await move(DAY);
  expect(await findAll(store)).toEqual(before);
  await searchOn(clock, store, DAY + 1);
  await move(DAY + 1);
  const column = toHotColumn(TIER);
  expect(Object.values(await columnsOf(database)).flat()).toEqual([column]);
  // Of rows in the table and in both kinds of files.
  expect(await findAll(store)).toEqual(before);
  await store.close();
  store = await database.open();
  expect(await findAll(store)).toEqual(before);

  clock.day = DAY + 15;
  await move(DAY + 2);
  expect(Object.values(await columnsOf(database)).flat()).toEqual([column]);
  expect(await findAll(store)).toEqual(before);
  // Those of the files that lost theirs, too: the statement may be older than the view.
  await store.dropBefore(
    toCutoffs(() => (DAY + 3) * DAY_MS),
    0,
  );
  expect(await findAll(store)).toEqual([[], [], [], []]);
  await store.close();
});

test("files that are written again have the columns of now for all of their rows", async () => {
  const clock = { day: DAY };
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1, now: () => clock.day * DAY_MS });
  const store = await database.open();
  const [first, ...others] = spansOf(DAY);
  const move = async () => {
    const moved = await store.movedDays.move({ day: DAY, signal: "spans" });
    if (moved) await store.movedDays.noteStripped(moved);
  };
  await appendSpans(store, [first as (typeof others)[number]]);
  await searchOn(clock, store, DAY);
  await move();
  await appendSpans(store, others);
  const before = await findAll(store);
  await searchOn(clock, store, DAY + 1);
  await move();
  const lengths = Object.values(await columnsOf(database)).map(({ length }) => length);
  expect(lengths.sort()).toEqual([0, 1]);
  expect(await findAll(store)).toEqual(before);
  expect(await store.movedDays.join({ day: DAY, signal: "spans" })).toBe(true);
  expect(Object.values(await columnsOf(database))).toEqual([[toHotColumn(TIER)]]);
  expect(await findAll(store)).toEqual(before);
  await store.close();
});

test("attributes of logs have columns, too, apart from those of spans", async () => {
  const clock = { day: DAY };
  await using database = await createDuckdbEventDatabase({ rowsOfMovedDay: 1, now: () => clock.day * DAY_MS });
  const store = await database.open();
  const lines = [{ [TIER]: "gold" }, { [TIER]: "silver" }, { [TIER]: { type: "string", value: "7" } }, {}].map(
    (attributes, at) => log(at, { attributes: JSON.stringify(attributes) }),
  );
  const later = { receivedAt: NOON + DAY_MS, occurredUs: (NOON + DAY_MS) * 1000 };
  await appendSpans(store, [], [...lines, ...lines.map((line, at) => ({ ...line, ...later, sequence: 4 + at }))]);
  const findLines = async () => {
    const found = [];
    for (const search of SEARCHES) {
      const { condition: where, errors } = bindSearch(parseSearch(search).tree, LOG_VOCABULARY, NOON);
      expect(errors).toEqual([]);
      const page = await store.findLogs({ ...FILTER, where }, { limit: 50, budgetMs: Number.POSITIVE_INFINITY });
      const options = { by: [{ name: TIER, isTag: true }], limit: 10, budgetMs: Number.POSITIVE_INFINITY };
      const { groups } = await store.countLogs({ ...FILTER, where }, options);
      found.push([page.lines.map(({ id }) => id), groups]);
    }
    return found;
  };
  const search = async (day: number) => {
    clock.day = day;
    const found = await findLines();
    await store.dropBefore(
      toCutoffs(() => 0),
      0,
    );
    return found;
  };
  const before = await search(DAY);
  expect(before[1]?.[1]).toEqual(["7", "gold", "silver"].map((value) => ({ group: [value], count: 2, numbers: [] })));
  await search(DAY + 1);
  expect(await store.movedDays.move({ day: DAY, signal: "logs" })).not.toBeNull();
  expect(Object.values(await columnsOf(database))).toEqual([[toHotColumn(TIER)]]);
  // Of rows in the file and in the table.
  expect(await findLines()).toEqual(before);
  await appendSpans(store, spansOf(DAY + 1));
  expect(await store.movedDays.move({ day: DAY + 1, signal: "spans" })).not.toBeNull();
  expect((await find(store, `has:${TIER}`)).map((each) => each.split(" ")[1]).sort()).toEqual(["7", "gold"]);
  expect(Object.values(await columnsOf(database)).flat()).toEqual([toHotColumn(TIER)]);
  await store.close();
});
