import { expect, test } from "vitest";
import { getTracePage } from "../../app/features/traces/get-trace-page.server.ts";
import { createDuckdbEventDatabase } from "../../app/stores/duckdb/fixtures/duckdb-event-database.ts";
import { appendSpans, span, TRACE } from "../../app/stores/event-store-contract/span-fixture.ts";
import { createSqliteStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";
import { testWorkspace } from "../support/test-workspace.ts";

test("the page of a trace cuts long names between characters, and offers no empty kind of span", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  const events = await eventDatabase.open();
  const workspace = testWorkspace({ state: await stateDatabase.connect(), events, monitoringProjectId: () => null });
  // Wherever it is cut, one of the two is cut inside an emoji.
  const names = ["", "x"].map((before) => before + "\u{1f680}".repeat(500));
  await appendSpans(
    events,
    names.map((name, at) => span(at, { name, op: at === 0 ? "" : "db" })),
  );
  const read = (search: string) => getTracePage(workspace, { traceId: TRACE, search: new URLSearchParams(search) });
  for (const view of ["waterfall", "flame"]) {
    const page = await read(`view=${view}`);
    const { content } = page ?? {};
    const shown =
      content?.view === "waterfall" ? content.rows.rows : content?.view === "flame" ? content.flame.frames : [];
    const cut = shown.map((row) => ("name" in row && row.name) || "");
    expect(cut).toHaveLength(2);
    expect([...cut, page?.root?.name].every((name) => name?.isWellFormed() && name.length <= 300)).toBe(true);
    expect(page?.ops.map(({ op }) => op)).toEqual(["db"]);
  }
});

test("of spans with one id, each opens by an address of its own, and the id alone opens the first", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  const events = await eventDatabase.open();
  const workspace = testWorkspace({ state: await stateDatabase.connect(), events, monitoringProjectId: () => null });
  const id = "ab".repeat(8);
  await appendSpans(
    events,
    ["client", "server", "retry"].map((name, at) => span(at, { name, spanId: id })),
  );
  const read = (search: string) => getTracePage(workspace, { traceId: TRACE, search: new URLSearchParams(search) });
  const content = (await read(""))?.content;
  const rows =
    content?.view === "waterfall" ? content.rows.rows.flatMap((row) => (row.kind === "span" ? [row] : [])) : [];
  expect(rows.map(({ key, name }) => [key, name])).toEqual([
    [id, "client"],
    [`${id}.2`, "server"],
    [`${id}.3`, "retry"],
  ]);
  for (const { key, name } of rows) {
    const page = await read(`span=${key}`);
    expect([page?.span?.id, page?.span?.name, page?.options.spanKey]).toEqual([id, name, key]);
  }
  expect((await read(`span=${id}.4`))?.span).toBeNull();
});
