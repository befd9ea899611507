import { expect, test, vi } from "vitest";
import { toLogLines } from "../../app/features/traces/list-trace-logs.server.ts";
import { MAX_SERVICES, readTrace } from "../../app/features/traces/read-trace.server.ts";
import { createDuckdbEventDatabase } from "../../app/stores/duckdb/fixtures/duckdb-event-database.ts";
import { NOON } from "../../app/stores/event-store-contract/fixture.ts";
import { appendSpans, log, span, TRACE } from "../../app/stores/event-store-contract/span-fixture.ts";
import { createSqliteStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";
import { testWorkspace } from "../support/test-workspace.ts";

test("a kept trace ends with the rows that it was read from: what somebody deletes is not shown again", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  const events = await eventDatabase.open();
  const workspace = testWorkspace({ state: await stateDatabase.connect(), events });
  const read = async () => await readTrace(workspace, TRACE, { isAsSent: true });
  // More than a trace has that is read again each time.
  const spans = Array.from({ length: 2_500 }, (_, sequence) => span(sequence, { category: "transaction" }));
  await appendSpans(events, spans);
  const first = await read();
  expect(first?.tree.spans.count).toBe(2_500);
  expect(await read()).toBe(first);

  const ofUser = [3, 4].map((sequence) => ({ projectId: 1, sequence, receivedAt: NOON }));
  await events.deletion.deleteParts(await events.deletion.listSpansOf(ofUser));
  expect((await read())?.tree.spans.count).toBe(2_498);
});

test("a trace of very many services has names for the first of them", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  const events = await eventDatabase.open();
  const workspace = testWorkspace({ state: await stateDatabase.connect(), events });
  const spans = Array.from({ length: MAX_SERVICES + 20 }, (_, at) => span(at, { service: `service ${at}` }));
  await appendSpans(events, spans);
  const { services = [] } = (await readTrace(workspace, TRACE, { isAsSent: true })) ?? {};
  expect(services).toHaveLength(MAX_SERVICES + 1);
  expect(services.find(({ name }) => name === "other services")?.spanCount).toBe(20);
});

test("log lines have the service that spans have: their own, or the project of those that name none", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  const events = await eventDatabase.open();
  const state = await stateDatabase.connect();
  const workspace = testWorkspace({ state, events });
  await appendSpans(events, [span(1, { service: null })], [log(2, { service: null }), log(3, { service: "worker" })]);
  const trace = await readTrace(workspace, TRACE, { isAsSent: true });
  const lines = trace === null ? [] : toLogLines(trace, { window: null, services: [] });
  expect(lines.map(({ service }) => service)).toEqual(["project 1", "worker"]);
  expect(trace?.services.map(({ name }) => name)).toEqual(["project 1"]);
  expect(trace === null ? [] : toLogLines(trace, { window: null, services: ["worker"] })).toHaveLength(1);
});

test("a trace that ended long ago is read again soon while its spans still come", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  const events = await eventDatabase.open();
  const workspace = testWorkspace({ state: await stateDatabase.connect(), events });
  const countSpans = async () => (await readTrace(workspace, TRACE, { isAsSent: true }))?.tree.spans.count;
  const append = (from: number, receivedAt: number) =>
    appendSpans(
      events,
      Array.from({ length: 2_500 }, (_, at) => span(from + at, { receivedAt })),
    );
  await append(0, Date.now());
  expect(await countSpans()).toBe(2_500);
  await append(2_500, Date.now());
  const now = performance.now();
  using _ = vi.spyOn(performance, "now").mockImplementation(() => now + 15_000);
  expect(await countSpans()).toBe(5_000);
});
