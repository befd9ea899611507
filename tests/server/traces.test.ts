import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, sendEnvelope, sumOutcomes, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { makeError } from "../support/make-event.ts";
import { makeProject } from "../support/make-project.ts";
import { makeLogEnvelope, makeTraceEnvelope, type SentSpan, toSpanId } from "../support/make-trace-envelope.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const LARGE = "1bf7651916cd43dd8448eb211c80319c";
const LARGE_COUNT = 900;

let server: TestServer;
let visitor: Visitor;

beforeAll(async () => {
  server = await startServer({ watchesItself: true });
  visitor = await signIn(server);
  const atMs = Date.now() - 10_000;
  const api = await makeProject(server, "api");
  const fromApi = { url: server.url, dsn: api.dsn };
  await sendEnvelope(
    server,
    makeTraceEnvelope(
      TRACE,
      [
        ["click", null, "ui.action.click", "Pay", 0, 500, { status: "internal_error" }],
        ["fetch", "click", "http.client", "POST /api/checkout", 20, 460],
      ],
      { atMs },
    ),
  );
  await sendEnvelope(
    fromApi,
    makeTraceEnvelope(
      TRACE,
      [
        [
          "server",
          "fetch",
          "http.server",
          "POST /api/checkout",
          40,
          400,
          { data: { "http.response.status_code": 502 } },
        ],
        ["query", "server", "db", "SELECT 1", 50, 300, { data: { "db.system": "postgresql", "pool.size": 10 } }],
        ["task", "nobody", "queue.task", "refresh", 60, 10],
      ],
      { atMs, release: "api@1.2.0" },
    ),
  );
  const trace = { trace_id: TRACE, span_id: toSpanId("query") };
  const { envelope } = toEventEnvelope(makeError("Query", { timestamp: (atMs + 350) / 1000, contexts: { trace } }));
  await sendEnvelope(fromApi, envelope);
  await sendEnvelope(fromApi, makeLogEnvelope(TRACE, [[120, "warn", "pool: 9 of 10 in use", "query"]], atMs));
  const spans = Array.from(
    { length: LARGE_COUNT },
    (_, at): SentSpan => [`s${at}`, "root", "function", `step ${at}`, at, 5],
  );
  await sendEnvelope(server, makeTraceEnvelope(LARGE, [["root", null, "task", "Large", 0, 2_000], ...spans], { atMs }));
  await waitFor("the traces", async () => {
    const [small, large] = await Promise.all([read(TRACE, ".md"), read(LARGE, ".md")]);
    const isWhole = ["refresh", "SELECT 1", "http.client", "QueryError", "pool: 9"].every((part) =>
      small.text.includes(part),
    );
    return isWhole && large.status === 200;
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function read(traceId: string, more = "") {
  const answer = await fetch(`${server.url}/traces/${traceId}${more}`, { headers: { cookie: visitor.cookie } });
  return { status: answer.status, text: await answer.text() };
}

interface Rows {
  from: number;
  count: number;
  matchCount: number;
  rows: Array<{ id: string; name: string; depth: number }>;
}

async function readRows(traceId: string, search = ""): Promise<Rows> {
  const { status, text } = await read(traceId, `/rows?${search}`);
  expect(status).toBe(200);
  return JSON.parse(text);
}

/** Of an HTML page, without the marks between the texts of React; a whole page as a failure's message helps nobody. */
function missingFrom(html: string, parts: string[]): string[] {
  const text = html.replaceAll("<!-- -->", "");
  return parts.filter((part) => !text.includes(part));
}

test("the page has spans of two projects in one tree, with what failed and what is missing", async () => {
  const { html, status } = await visitor.open(`/traces/${TRACE}`);
  expect(status).toBe(200);
  expect(
    missingFrom(html, [
      "Pay",
      "POST /api/checkout",
      "SELECT 1",
      "internal error",
      "502",
      "parent did not arrive",
      "QueryError",
    ]),
  ).toEqual([]);
  const { rows } = await readRows(TRACE);
  expect(rows.map(({ name, depth }) => [name, depth])).toEqual([
    ["Pay", 0],
    ["POST /api/checkout", 1],
    ["POST /api/checkout", 2],
    ["SELECT 1", 3],
    ["refresh", 0],
  ]);
});

test("a trace says that it is arriving, and why parents are missing", async () => {
  const traceId = "2af7651916cd43dd8448eb211c80319c";
  const { dsn, slug } = await makeProject(server, "worker");
  const from = { url: server.url, dsn };
  await sendEnvelope(
    from,
    makeTraceEnvelope(traceId, [["job", "nobody", "task", "Sweep", 0, 10]], { atMs: Date.now() }),
  );
  // Said of this moment alone: spans of the others came before.
  await waitFor("the trace", async () => (await read(traceId, ".md")).text.includes("The trace is still arriving"));
  const { text } = await read(traceId, ".md");
  expect(text).toContain("## What is missing");
  expect(text).toContain("The sender of a parent does not report here");

  const report = JSON.stringify({
    timestamp: Date.now() / 1000,
    discarded_events: [{ reason: "sample_rate", category: "transaction", quantity: 9 }],
  });
  await sendEnvelope(from, `{}\n{"type":"client_report"}\n${report}\n`);
  // What the server sampled out of itself is never a parent of an application's spans.
  const [own] = await getJson<Array<{ dsn: { public: string } }>>(server, "/projects/default/culprit/keys/");
  await sendEnvelope({ ...server, dsn: own?.dsn.public ?? null }, `{}\n{"type":"client_report"}\n${report}\n`);
  const { id } = await getJson<{ id: string }>(server, "/projects/default/culprit/");
  await waitFor("the server's own", () => sumOutcomes(server, { project: id, reason: "sample_rate" }));
  const said = `${slug}: the SDK sampled out 9 of 10 transactions of this hour.`;
  await waitFor("the report", async () => (await read(traceId)).text.replaceAll("<!-- -->", "").includes(said));
  const page = (await read(traceId)).text;
  expect(missingFrom(page, ["Why spans may be missing"])).toEqual([]);
  expect(page).not.toContain("culprit, which has nothing here");
});

test("an id may have dashes and capital letters", async () => {
  const dashed = "0AF76519-16CD-43DD-8448-EB211C80319C";
  expect((await visitor.open(`/traces/${dashed}`)).status).toBe(200);
});

test.for(["1af7651916cd43dd8448eb211c80319c", "abc", "0".repeat(32)])("there is no trace %s", async (id) => {
  const page = await visitor.open(`/traces/${id}`);
  expect(page.status).toBe(404);
  expect(page.html).toContain("may never have arrived");
  expect(page.html).toContain("somebody may have deleted it, and spans are deleted after 90 days");
  expect((await read(id, "/rows")).status).toBe(404);
  expect((await read(id, ".md")).status).toBe(404);
});

test("the details of a span have what was sent", async () => {
  const { html } = await visitor.open(`/traces/${TRACE}?span=${toSpanId("query")}`);
  expect(missingFrom(html, ["postgresql", "pool.size", "api@1.2.0", "300 ms", "60 % of the trace"])).toEqual([]);
});

test("log lines and statistics are views of their own", async () => {
  const logs = await visitor.open(`/traces/${TRACE}?view=logs`);
  expect(missingFrom(logs.html, ["pool: 9 of 10 in use"])).toEqual([]);
  const statistics = await visitor.open(`/traces/${LARGE}?view=statistics`);
  expect(missingFrom(statistics.html, ["step ?", String(LARGE_COUNT)])).toEqual([]);
});

test("rows come in windows, and what is folded or not found is left out", async () => {
  const last = await readRows(LARGE, "row=850");
  expect([last.from, last.count, last.rows.length]).toEqual([850, LARGE_COUNT + 1, 51]);
  expect(last.rows.at(-1)?.name).toBe(`step ${LARGE_COUNT - 1}`);
  expect((await readRows(LARGE, "row=700")).rows).toHaveLength(100);
  expect((await readRows(LARGE, `fold=${toSpanId("root")}`)).count).toBe(1);
  const found = await readRows(LARGE, "q=%22step+77%22&only=1");
  expect([found.matchCount, found.count]).toEqual([11, 12]);
  expect((await read(LARGE, "/rows?row=-1")).status).toBe(400);
  expect((await read(LARGE, "/rows?row=x")).status).toBe(400);
  expect((await readRows(LARGE, "row=999999999")).rows).toHaveLength(1);
});

test("one selection of time, services, ops and a search is what all views show", async () => {
  const inTime = await readRows(LARGE, "from=100&to=102");
  // The root, and the steps that ran then.
  expect(inTime.rows.map(({ name }) => name)).toEqual([
    "Large",
    ...[95, 96, 97, 98, 99, 100, 101, 102].map((at) => `step ${at}`),
  ]);
  const ofApi = await readRows(TRACE, "service=api");
  expect(ofApi.rows.map(({ name }) => name)).toContain("Pay");
  expect((await readRows(TRACE, "service=shop")).rows.map(({ name }) => name)).toEqual(["Pay", "POST /api/checkout"]);
  expect((await readRows(TRACE, "op=db&service=api")).rows.map(({ name }) => name)).not.toContain("refresh");
  const statistics = await visitor.open(`/traces/${LARGE}?view=statistics&from=100&to=102`);
  expect(missingFrom(statistics.html, ["9 spans in 2 groups", "step ?"])).toEqual([]);
  const flame = await visitor.open(`/traces/${TRACE}?view=flame&op=db`);
  expect(missingFrom(flame.html, ["db SELECT 1, api, 300 ms, from +50 ms"])).toEqual([]);
  expect(flame.html).not.toContain("queue.task refresh, api");
});

test("spans are searched by all that was sent, and what is not understood is told", async () => {
  const names = async (search: string) =>
    (await readRows(TRACE, `only=1&q=${encodeURIComponent(search)}`)).rows.map(({ name }) => name).at(-1);
  expect(await names("span.duration:>290ms span.op:db")).toBe("SELECT 1");
  expect(await names("pool.size:10")).toBe("SELECT 1");
  expect(await names("http.response.status_code:502")).toBe("POST /api/checkout");
  expect((await readRows(TRACE, "only=1&q=select")).matchCount).toBe(1);
  // The name of a transaction is not the name of what is in it.
  expect((await readRows(TRACE, "only=1&q=pay")).matchCount).toBe(1);
  const refused = await visitor.open(`/traces/${TRACE}?q=${encodeURIComponent("span.duration:>soon")}`);
  expect(missingFrom(refused.html, ['role="alert"'])).toEqual([]);
});

test("the trace is given as Markdown", async () => {
  const { text } = await read(TRACE, ".md");
  for (const part of [
    "# Trace ui.action.click Pay",
    "## Errors",
    "QueryError",
    "## Spans",
    "      db SELECT 1 (api)",
    "## Logs",
  ])
    expect(text).toContain(part);
});

test("Ctrl K and the list of issues know the id of a trace", async () => {
  const found = await fetch(`${server.url}/find?text=${LARGE}`, { headers: { cookie: visitor.cookie } });
  expect(await found.text()).toContain(`/traces/${LARGE}`);
  const listed = await fetch(`${server.url}/issues?q=${LARGE}`, {
    headers: { cookie: visitor.cookie },
    redirect: "manual",
  });
  expect(listed.headers.get("location")).toBe(`/traces/${LARGE}`);
});

test("a project that has sent only spans waits for its first event, and leads to them", async () => {
  const quiet = await makeProject(server, "quiet");
  const open = async () => (await visitor.open("/projects/quiet/set-up")).html;
  expect(await open()).toContain("Waiting for the first event");
  expect(await open()).not.toContain("/traces?project=quiet");
  const trace = crypto.randomUUID().replaceAll("-", "");
  const spans: SentSpan[] = [["job", null, "queue.task", "rare", 0, 50]];
  await sendEnvelope(
    { url: server.url, dsn: quiet.dsn },
    makeTraceEnvelope(trace, spans, { atMs: Date.now() - 60_000 }),
  );
  await waitFor("the span in the ledger", async () => (await open()).includes('href="/traces?project=quiet"'));
  const html = await open();
  expect(html).toContain("Waiting for the first event");
  expect(html).not.toContain('href="/logs?project=quiet"');
});
