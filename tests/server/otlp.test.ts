import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiEvent, getJson, listIssues, sumOutcomes, waitFor } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { encodeOtlp } from "../support/encode-otlp.ts";
import {
  attributes,
  makeOtlpLogs,
  makeOtlpMetrics,
  makeOtlpTraces,
  nanoseconds,
  OTLP_TRACE,
} from "../support/make-otlp.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let visitor: Visitor;

beforeAll(async () => {
  server = await startServer();
  visitor = await signIn(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const PROTOBUF = { "content-type": "application/x-protobuf" };
const JSON_TYPE = { "content-type": "application/json" };

function post(
  project: MadeProject,
  path: string,
  body: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string>,
) {
  const key = new URL(project.dsn).username;
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "x-sentry-auth": `sentry sentry_key=${key}`, ...headers },
    body,
  });
}

function waitForCount({ id }: MadeProject, category: string, count: number): Promise<boolean> {
  return waitFor(`${count} of ${category}`, async () => {
    return (await sumOutcomes(server, { project: id, outcome: "accepted", category })) === count;
  });
}

test("spans by protobuf and logs by JSON, packed and with the key alone, are on one trace", async () => {
  const project = await makeProject(server, "otel");
  const atMs = Date.now() - 5_000;
  const spans = gzipSync(encodeOtlp("traces", makeOtlpTraces(atMs, [], { traceState: "vendor=1,ot=th:c" })));
  const answer = await post(project, `/api/${project.id}/integration/otlp/v1/traces`, spans, {
    ...PROTOBUF,
    "content-encoding": "gzip",
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/x-protobuf");
  expect((await answer.arrayBuffer()).byteLength).toBe(0);
  const record = {
    timeUnixNano: nanoseconds(atMs + 20),
    severityNumber: 13,
    body: { stringValue: "pool: 9 of 10 in use" },
    traceId: OTLP_TRACE,
    spanId: "eee19b7ec3c1b175",
  };
  const logged = await post(project, "/v1/logs", JSON.stringify(makeOtlpLogs([record])), JSON_TYPE);
  expect([logged.status, await logged.text()]).toEqual([200, "{}"]);
  await waitForCount(project, "span", 2);
  await waitForCount(project, "log_item", 1);
  const text = await waitFor("the trace", async () => {
    const page = await fetch(`${server.url}/traces/${OTLP_TRACE}.md`, { headers: { cookie: visitor.cookie } });
    const found = await page.text();
    return ["POST /pay", "SELECT stock", "http.server", "db", "pool: 9 of 10"].every((part) => found.includes(part))
      ? found
      : false;
  });
  expect(text).toContain("500");
  // The sampler kept a quarter.
  const path = `/organizations/default/events/?dataset=spans&query=trace:${OTLP_TRACE}+span.op:http.server`;
  const { data } = await getJson<{ data: object[] }>(server, `${path}&field=count()&field=w3c.tracestate`);
  expect(data).toEqual([{ "count()": 4, "w3c.tracestate": "vendor=1,ot=th:c" }]);
});

test("spans that cannot be stored are a partial success, and the ledger counts the same", async () => {
  const project = await makeProject(server, "partial");
  const broken = { spanId: "eee19b7ec3c1b176", name: "no trace" };
  const request = JSON.stringify(makeOtlpTraces(Date.now(), [broken, broken]));
  const answer = await post(project, `/api/${project.id}/otlp/v1/traces/`, request, JSON_TYPE);
  expect(await answer.json()).toEqual({
    partialSuccess: { rejectedSpans: "2", errorMessage: "missing_trace_id: 2" },
  });
  await waitForCount(project, "span", 2);
  expect(await sumOutcomes(server, { project: project.id, outcome: "invalid", category: "span" })).toBe(2);
});

test("kinds and statuses by name, as general protobuf libraries write JSON, are understood", async () => {
  const project = await makeProject(server, "named");
  const span = { name: "GET /named", kind: "SPAN_KIND_SERVER", status: { code: "STATUS_CODE_ERROR" } };
  const times = { startTimeUnixNano: nanoseconds(Date.now() - 20), endTimeUnixNano: nanoseconds(Date.now()) };
  const spans = [{ traceId: "5".repeat(32), spanId: "6".repeat(16), ...times, ...span }];
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  expect((await post(project, "/v1/traces", body, JSON_TYPE)).status).toBe(200);
  const path = `/organizations/default/events/?dataset=spans&query=trace:${"5".repeat(32)}`;
  const [row] = await waitFor("the span", async () => {
    const { data } = await getJson<{ data: object[] }>(server, `${path}&field=span.kind&field=span.status`);
    return data.length > 0 && data;
  });
  expect(row).toMatchObject({ "span.kind": "server", "span.status": "error" });
});

test("metrics are stored and counted by their data points", async () => {
  const project = await makeProject(server, "metered");
  const answer = await post(project, "/v1/metrics", encodeOtlp("metrics", makeOtlpMetrics(Date.now())), PROTOBUF);
  expect(answer.status).toBe(200);
  await waitForCount(project, "trace_metric", 3);
});

test("a body that is not OTLP is refused with a status that says why", async () => {
  const project = await makeProject(server, "refused");
  const text = await post(project, "/v1/traces", "{", { "content-type": "text/plain" });
  expect([text.status, await text.text()]).toEqual([415, expect.stringContaining("not as gRPC")]);
  const broken = await post(project, "/v1/traces", "{", JSON_TYPE);
  expect([broken.status, await broken.json()]).toEqual([400, { message: expect.stringContaining("JSON") }]);
  const cut = await post(project, "/v1/logs", new Uint8Array([10, 200, 1]), PROTOBUF);
  expect(cut.status).toBe(400);
  expect(cut.headers.get("content-type")).toBe("application/x-protobuf");
  expect(Buffer.from(await cut.arrayBuffer()).toString()).toContain("cut off");
  const stranger = await fetch(`${server.url}/v1/traces`, { method: "POST", headers: JSON_TYPE, body: "{}" });
  expect(stranger.status).toBe(401);
  expect(await waitFor("the ledger", () => sumOutcomes(server, { project: project.id, outcome: "invalid" }))).toBe(3);
});

test("an exception is one event, when a span and a log both bring it", async () => {
  const project = await makeProject(server, "thrown");
  const atMs = Date.now() - 5_000;
  const said = {
    "exception.type": "StockError",
    "exception.message": "no stock",
    "exception.stacktrace":
      "StockError: no stock\n    at reserve (/app/src/stock.js:12:7)\n    at pay (/app/src/pay.js:3:1)",
  };
  const exception = attributes(said);
  const stack = `${said["exception.stacktrace"]}\n    at trace (/app/node_modules/tracer/index.js:9:3)`;
  const event = {
    name: "exception",
    timeUnixNano: nanoseconds(atMs + 5),
    attributes: attributes({ ...said, "exception.stacktrace": stack }),
  };
  const spans = encodeOtlp("traces", makeOtlpTraces(atMs, [], { events: [event] }));
  expect((await post(project, "/v1/traces", spans, PROTOBUF)).status).toBe(200);
  await waitForCount(project, "error", 1);
  const record = {
    timeUnixNano: nanoseconds(atMs + 6),
    severityNumber: 17,
    traceId: OTLP_TRACE,
    spanId: "eee19b7ec3c1b174",
    attributes: exception,
  };
  const other = { ...record, spanId: "eee19b7ec3c1b175" };
  expect((await post(project, "/v1/logs", JSON.stringify(makeOtlpLogs([record, other])), JSON_TYPE)).status).toBe(200);
  // The other span's is a second event of the same issue; the same span's is a repeat.
  await waitForCount(project, "error", 2);
  await waitForCount(project, "log_item", 2);
  const issues = await listIssues(server, "", project.slug);
  expect(issues.map(({ title, count }) => [title, count])).toEqual([["StockError: no stock", "2"]]);
  const latest = await getJson<ApiEvent>(server, `/issues/${issues[0]?.id}/events/latest/`);
  expect(latest).toMatchObject({
    platform: "node",
    environment: "staging",
    release: { version: "checkout@2.0.0" },
    contexts: { trace: { trace_id: OTLP_TRACE } },
  });
  expect(JSON.stringify(latest.entries)).toContain('"function":"reserve"');
});

test("an exception of Python that a span and a log say in their own words is one event", async () => {
  const project = await makeProject(server, "python");
  const atMs = Date.now() - 5_000;
  const resource = { attributes: attributes({ "service.name": "shop", "telemetry.sdk.language": "python" }) };
  const trace = { traceId: OTLP_TRACE, spanId: "eee19b7ec3c1b174" };
  const thrown = [
    {
      span: { "exception.type": "django.db.utils.IntegrityError", "exception.message": "UNIQUE: email" },
      log: { "exception.type": "IntegrityError", "exception.message": "UNIQUE: email" },
      text: `Traceback (most recent call last):
  File "/app/views.py", line 4, in save
    customer.save()
django.db.utils.IntegrityError: UNIQUE: email`,
    },
    {
      span: { "exception.type": "ExceptionGroup", "exception.message": "2 imports failed (1 sub-exception)" },
      log: { "exception.type": "ExceptionGroup", "exception.message": "2 imports failed" },
      text: `  + Exception Group Traceback (most recent call last):
  |   File "/app/views.py", line 9, in load
  |     raise ExceptionGroup("2 imports failed", errors)
  | ExceptionGroup: 2 imports failed (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/views.py", line 12, in fetch
    |     raise TimeoutError("no answer")
    | TimeoutError: no answer
    +------------------------------------`,
    },
  ];
  const events = thrown.map(({ span, text }) => ({
    name: "exception",
    timeUnixNano: nanoseconds(atMs + 5),
    attributes: attributes({ ...span, "exception.stacktrace": text }),
  }));
  const times = { startTimeUnixNano: nanoseconds(atMs), endTimeUnixNano: nanoseconds(atMs + 9) };
  const spans = {
    resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...trace, ...times, name: "GET /", events }] }] }],
  };
  expect((await post(project, "/v1/traces", JSON.stringify(spans), JSON_TYPE)).status).toBe(200);
  await waitForCount(project, "error", 2);
  const records = thrown.map(({ log, text }) => ({
    ...trace,
    timeUnixNano: nanoseconds(atMs + 6),
    severityNumber: 17,
    attributes: attributes({ ...log, "exception.stacktrace": text }),
  }));
  const logs = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: records }] }] };
  expect((await post(project, "/v1/logs", JSON.stringify(logs), JSON_TYPE)).status).toBe(200);
  await waitForCount(project, "log_item", 2);
  const issues = await listIssues(server, "", project.slug);
  expect(issues.map(({ title, count }) => [title, count]).sort()).toEqual([
    ["TimeoutError: no answer", "1"],
    ["django.db.utils.IntegrityError: UNIQUE: email", "1"],
  ]);
});

test("services of a collector go to the projects of their rules, each under the limit of its own key", async () => {
  const [collector, shop, full] = [
    await makeProject(server, "collector"),
    await makeProject(server, "webshop"),
    await makeProject(server, "full", { rateLimit: { count: 1, window: 3600 } }),
  ] as const;
  const saved = await visitor.post(`/projects/${collector.slug}/settings`, {
    intent: "services",
    services: "shop-* = webshop\nbusy = full",
  });
  expect(saved.status).toBe(200);
  const record = (service: string) => ({
    resource: { attributes: attributes({ "service.name": service }) },
    scopeLogs: [{ logRecords: [{ timeUnixNano: nanoseconds(Date.now()), body: { stringValue: `of ${service}` } }] }],
  });
  const request = { resourceLogs: [record("shop-cart"), record("other"), record("busy")] };
  const first = await post(collector, "/v1/logs", encodeOtlp("logs", request), PROTOBUF);
  expect([first.status, (await first.arrayBuffer()).byteLength]).toEqual([200, 0]);
  await Promise.all([shop, collector, full].map((project) => waitForCount(project, "log_item", 1)));
  // The limit of the third is used up: what the others take is not sent again for it.
  const second = await post(collector, "/v1/logs", JSON.stringify(request), JSON_TYPE);
  expect([second.status, await second.json()]).toEqual([
    200,
    { partialSuccess: { rejectedLogRecords: "1", errorMessage: expect.stringContaining("rate limit") } },
  ]);
  await Promise.all([shop, collector].map((project) => waitForCount(project, "log_item", 2)));
  expect(await waitFor("the refusal", () => sumOutcomes(server, { project: full.id, outcome: "rate_limited" }))).toBe(
    1,
  );
  const alone = { resourceLogs: [record("busy")] };
  expect((await post(collector, "/v1/logs", JSON.stringify(alone), JSON_TYPE)).status).toBe(429);
  const unknown = await visitor.post(`/projects/${collector.slug}/settings`, { intent: "services", services: "a = b" });
  expect([unknown.status, unknown.html]).toEqual([400, expect.stringContaining("no project with the slug")]);
});
