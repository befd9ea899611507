import { expect, test } from "vitest";
import { event, eventId, item, JOURNAL, projects, toRowBatch } from "../event-store-contract/fixture.ts";
import type { EventStore } from "../events/event-store.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

const TYPES = ["attachment", "user_report", "feedback"];

const listOf = async (store: EventStore, id: number, types = TYPES) =>
  (await store.listItems({ projectIds: projects(1), eventId: eventId(id), types })).map(({ type }) => type);

function append(store: EventStore, from: number, items: Array<{ id: number; type: string }>) {
  const rows = items.map(({ id, type }, index) => item(from + index, { eventId: eventId(id), type }));
  return store.append(toRowBatch({ journalId: JOURNAL, upTo: from + items.length, items: rows }));
}

test("items of an event are found, whether they were written before anyone asked, after it, or before the store was opened", async () => {
  await using database = await createDuckdbEventDatabase();
  const first = await database.open();
  await append(first, 0, [
    { id: 1, type: "attachment" },
    { id: 2, type: "transaction" },
  ]);
  expect(await listOf(first, 1)).toEqual(["attachment"]);
  expect([await listOf(first, 2), await listOf(first, 3)]).toEqual([[], []]);
  expect(await listOf(first, 2, ["transaction"])).toEqual(["transaction"]);
  await append(first, 2, [
    { id: 3, type: "user_report" },
    { id: 1, type: "feedback" },
  ]);
  expect([await listOf(first, 1), await listOf(first, 3)]).toEqual([["attachment", "feedback"], ["user_report"]]);
  await first.close();

  const again = await database.open();
  expect([await listOf(again, 1), await listOf(again, 3), await listOf(again, 4)]).toEqual([
    ["attachment", "feedback"],
    ["user_report"],
    [],
  ]);
});

test("items that are written while the first question is being answered are found by the next", async () => {
  await using database = await createDuckdbEventDatabase();
  const store = await database.open();
  await store.append(toRowBatch({ journalId: JOURNAL, upTo: 1, events: [event(0)], items: [] }));
  const asked = listOf(store, 5);
  const appended = append(store, 1, [{ id: 6, type: "attachment" }]);
  await Promise.all([asked, appended]);
  expect(await listOf(store, 6)).toEqual(["attachment"]);
});
