import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { NOON, projects } from "../event-store-contract/fixture.ts";
import { appendSpans, log, span, TRACE } from "../event-store-contract/span-fixture.ts";
import type { EventStore } from "../events/event-store.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import { bytesOf, toNewRow, toRowsByTable } from "../events/rows.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestDatabase } from "./fixtures/open-test-database.ts";

const OF_1 = { projectIds: projects(1), from: NOON - 60_000, to: NOON + 60_000 };
const NEVER_SAID = {
  kind: "test",
  field: "blob",
  isTag: true,
  isNegated: false,
  test: { kind: "in", values: ["nobody says this"] },
} as const;

/** Nothing that could be packed. */
const noise = (bytes: number) => randomBytes((bytes * 3) / 4).toString("base64");

/** As a server has it at least, with texts packed. */
function createSmall() {
  return createDuckdbEventDatabase({
    memoryLimitMb: 64,
    folder: { id: "0123456789abcdef0123456789abcdef", statePath: "state.sqlite", hasStored: false, journals: [] },
  });
}

async function search(store: EventStore) {
  const filter = { ...OF_1, where: NEVER_SAID };
  const { spans } = await store.findSpans(filter, { order: "newest", cursor: null, limit: 100 });
  const { lines } = await store.findLogs(filter, { limit: 100, budgetMs: Number.POSITIVE_INFINITY });
  return [...spans, ...lines];
}

test("rows of 12 KB and of 600 KB are stored, searched and summed with 64 MB", async () => {
  await using files = await createSmall();
  const store = await files.open();
  const attributes = Array.from({ length: 20 }, () => JSON.stringify({ blob: noise(12_000), plan: "pro" }));
  const rest = JSON.stringify({ odd: noise(600_000) });
  let sequence = 0;
  for (let batch = 0; batch < 10; batch++) {
    const spans = Array.from({ length: 100 }, (_, at) =>
      span(sequence++, { attributes: attributes[at % 20] ?? null, rest: at === 0 ? rest : null }),
    );
    const logs = spans
      .slice(0, 20)
      .map((row) => log(row.sequence, { body: noise(12_000), attributes: row.attributes }));
    await appendSpans(store, spans, logs);
    if (batch % 5 === 4) expect(await search(store)).toEqual([]);
  }
  while (await store.rollUp(Number.POSITIVE_INFINITY)) {
    // Until all is summed.
  }
  const values = { projectIds: projects(1), signal: "spans", from: NOON - 3_600_000, to: NOON + 3_600_000 } as const;
  expect(await store.listAttributeValues({ ...values, key: "plan" }, 10)).toEqual([{ value: "pro", count: sequence }]);
  expect(await search(store)).toEqual([]);
});

test("a span and a line give back long texts as they came, and lists their beginnings", async () => {
  await using files = await createSmall();
  const store = await files.open();
  const long = span(0, {
    attributes: JSON.stringify({
      blob: `${"😀\u0001".repeat(60_000)}\ud800`,
      "user.email": "a@example.com",
      plan: "pro",
    }),
    rest: JSON.stringify({ odd: ["x".repeat(9_000)] }),
    name: "SELECT ".repeat(900),
  });
  const line = log(1, { body: "line\n".repeat(5_000) });
  await appendSpans(store, [long, span(2)], [line]);

  const [listed] = await store.listSpans({ projectIds: projects(1), traceId: TRACE, limit: 1 });
  expect(JSON.parse(listed?.attributes ?? "")).toEqual({
    blob: expect.stringMatching(/^😀.*…$/u),
    "user.email": "a@example.com",
    plan: "pro",
  });
  expect(bytesOf(toRowsByTable([{ rows: [toNewRow(SPAN_ROWS, listed ?? long)] }])[0] as never)).toBeLessThan(5_000);
  expect(await store.readSpan({ projectIds: projects(1), traceId: TRACE }, 0)).toEqual(long);
  expect(await store.readSpan({ projectIds: projects(1), traceId: TRACE }, 1)).toEqual(span(2));

  const [found] = (await store.findLogs(OF_1, { limit: 1, budgetMs: Number.POSITIVE_INFINITY })).lines;
  expect(found?.body).toBe(`${line.body.slice(0, 1_997)}…`);
  expect(await store.getLog(projects(1), found?.id ?? "")).toEqual({ ...line, id: found?.id, ordinal: 0 });
});

test("rows of an older entry of the row log are cut as they come back", async () => {
  await using files = await createSmall();
  const store = await files.open();
  const lines = [log(0), log(1, { body: "line\n".repeat(5_000) })];
  const columns = LOG_ROWS.columns.filter(({ name }) => name !== LOG_ROWS.longTexts);
  const older = {
    name: "logs",
    lateColumns: [],
    columns: columns.map((each) => ({ ...each, keeps: "whole" as const })),
  };
  const rows = toRowsByTable([{ rows: lines.map((line) => toNewRow(older, line)) }]);
  await store.rebuild.begin({ reason: "asked", startedAt: NOON, received: null } as never);
  await store.rebuild.restore(
    [{ journalId: "j", upTo: 2, rows, leftOut: [], environments: [] }],
    store.rebuild.state() as never,
  );
  const found = (await store.findLogs(OF_1, { limit: 9, budgetMs: Number.POSITIVE_INFINITY })).lines.find(
    ({ sequence }) => sequence === 1,
  );
  expect(found?.body).toHaveLength(1_998);
  expect((await store.getLog(projects(1), found?.id ?? ""))?.body).toBe(lines[1]?.body);
});

test("long texts go with their rows", async () => {
  await using files = await createSmall();
  const store = await files.open();
  const body = "line\n".repeat(5_000);
  const lines = [
    log(0, { body, userId: "4711" }),
    log(1, { body, projectId: 2 }),
    log(2, { body, receivedAt: NOON - 1 }),
    log(3, { body }),
  ];
  await appendSpans(store, [], lines);
  const user = { projectIds: [1], user: { field: "id", values: ["4711"] }, upTo: NOON } as const;
  await store.deletion.deleteParts(await store.deletion.listParts("logs", user, 10));
  await store.deletion.deleteProject(2);
  await store.dropBefore(
    toCutoffs(() => NOON),
    NOON,
  );
  await store.close();

  const database = await openTestDatabase(files);
  expect(await database.read("SELECT DISTINCT ordinal::DOUBLE AS ordinal FROM long_texts")).toEqual([{ ordinal: 3 }]);
  await database.close();
});
