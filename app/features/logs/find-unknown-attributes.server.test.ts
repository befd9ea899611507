import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { openTestEventStore } from "../../stores/duckdb/fixtures/duckdb-event-database.ts";
import { NOON, projects } from "../../stores/event-store-contract/fixture.ts";
import { appendSpans, log } from "../../stores/event-store-contract/span-fixture.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import { listSignalValues } from "../search/list-signal-values.server.ts";
import { findUnknownAttributes } from "./find-unknown-attributes.server.ts";

async function open() {
  const folder = makeTempFolder();
  const events = await openTestEventStore({ path: `${folder.path}/events.duckdb`, tempDir: `${folder.path}/temp` });
  await appendSpans(
    events,
    [],
    [
      log(1, { attributes: '{"plan":"pro","user.name":"ada"}', service: "shop" }),
      log(2, { attributes: '{"plan":"free"}', service: "shop" }),
      log(3, { attributes: '{"plan":"pro"}', service: "payments" }),
    ],
  );
  await events.rollUp(NOON + DAY_MS);
  return {
    events,
    async [Symbol.asyncDispose]() {
      await events.close();
      folder[Symbol.dispose]();
    },
  };
}

test("an attribute that no line has is named, with the nearest one", async () => {
  await using store = await open();
  const ask = (search: string) => {
    const { condition } = bindSearch(parseSearch(search).tree, LOG_VOCABULARY, NOON);
    const range = { projectIds: projects(1), from: NOON - HOUR_MS, to: NOON + HOUR_MS };
    // Long enough for a busy machine.
    return findUnknownAttributes(store, { ...range, where: condition }, 60_000);
  };
  const named = (key: string, message: string) => [{ key, message, isMistyped: true, isConventional: false }];
  expect(await ask("plna:pro timeout")).toEqual(
    named("plna", "No log of this time has the attribute “plna”. The nearest is “plan”."),
  );
  expect(await ask("!zzzz:1 plna:>3")).toEqual([
    ...named("zzzz", "No log of this time has the attribute “zzzz”."),
    ...named("plna", "No log of this time has the attribute “plna”. The nearest is “plan”."),
  ]);
  expect(await ask("plan:gold service:none timeout")).toEqual([]);
  // The sums leave out attributes that name people.
  expect(await ask("user.name:bob")).toEqual([]);
});

test("an attribute that was not found before the time was over is named, and refused where a key is near", async () => {
  await using store = await open();
  const readUpTo = NOON - 90_000;
  const next = { occurredUs: readUpTo * 1000 };
  const slow: EventStore = { ...store.events, findLogs: async () => ({ lines: [], next, readUpTo }) };
  const ask = (search: string) => {
    const { condition } = bindSearch(parseSearch(search).tree, LOG_VOCABULARY, NOON);
    const range = { projectIds: projects(1), from: NOON - HOUR_MS, to: NOON + HOUR_MS };
    return findUnknownAttributes({ events: slow }, { ...range, where: condition });
  };
  const since = `since ${new Date(readUpTo).toISOString().slice(0, 19)}Z`;
  expect(await ask("plan:pro plna:pro zzzz:1")).toEqual([
    {
      key: "plna",
      message: `No log ${since} has the attribute “plna”, and the search came no further. The nearest is “plan”.`,
      isMistyped: true,
      isConventional: false,
    },
    {
      key: "zzzz",
      message: `No log ${since} has the attribute “zzzz”, and the search came no further.`,
      isMistyped: false,
      isConventional: false,
    },
  ]);
});

test("attributes and values are offered with the lines that have them", async () => {
  await using store = await open();
  const state = { projects: { listProjects: async () => [{ id: 1, slug: "payback" }] } } as never;
  const ask = (key: string | null, text = "", events: EventStore = store.events) =>
    listSignalValues(
      { events, scope: EVERYTHING, state },
      { signal: "logs", key, text, slugs: [], now: NOON + DAY_MS },
    );
  expect(await ask(null)).toEqual({ values: [{ value: "plan", counted: { count: 3, of: "lines" } }], isAll: true });
  expect((await ask("plan")).values).toEqual([
    { value: "pro", counted: { count: 2, of: "lines" } },
    { value: "free", counted: { count: 1, of: "lines" } },
  ]);
  // A project stands for its programs that name no service.
  expect((await ask("service", "pay")).values).toEqual([
    { value: "payments", counted: { count: 1, of: "lines" } },
    { value: "payback", counted: null },
  ]);
  const many = Array.from({ length: 50 }, (_, index) => ({ value: `v${index}`, count: 2 }));
  const cut: EventStore = { ...store.events, listAttributeValues: async (_, limit) => many.slice(0, limit) };
  expect((await ask("plan", "v49", cut)).values).toEqual([
    { value: "v49", counted: { count: 2, of: "lines", isAtLeast: true } },
  ]);
  expect(await ask("x".repeat(201))).toEqual({ values: [], isAll: true });
});
