import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, projectIdOf, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { makeProject } from "../support/make-project.ts";
import { makeLogEnvelope, makeTraceEnvelope, type SentSpan, toSpanId } from "../support/make-trace-envelope.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

// Spans, as stock tools search them.

const ORGANIZATION = "/organizations/default";
const TRACE = crypto.randomUUID().replaceAll("-", "");
const SPANS: readonly SentSpan[] = [
  ["root", null, "http.server", "POST /checkout", 0, 1_000],
  ["one", "root", "db", "SELECT * FROM carts WHERE id = 1", 20, 10],
  ["two", "root", "db", "SELECT * FROM carts WHERE id = 2", 40, 30, { status: "deadline_exceeded" }],
  ["pay", "root", "http.client", "POST payments", 120, 800, { data: { tier: "gold" } }],
];

let server: TestServer;

interface Rows {
  data: Array<Record<string, unknown>>;
  meta: { fields: Record<string, string> };
}

const search = (query: string) => getJson<Rows>(server, `${ORGANIZATION}/events/?${query}`);

beforeAll(async () => {
  server = await startServer();
  await sendEnvelope(server, makeTraceEnvelope(TRACE, SPANS, { atMs: Date.now() - 60_000 }));
  await waitFor("spans", async () => (await search(`dataset=spans&query=trace:${TRACE}`)).data.length === 4);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test("single spans have the fields that were asked for, slowest first", async () => {
  const { data, meta } = await search(
    `dataset=spans&query=trace:${TRACE}&field=id&field=span.duration&field=span.description&field=project&field=service&field=tier&sort=-span.duration`,
  );
  expect(data.map((row) => row.id)).toEqual(["root", "pay", "two", "one"].map(toSpanId));
  expect(data[1]).toEqual({
    id: toSpanId("pay"),
    "span.duration": expect.closeTo(800, 0),
    "span.description": "POST payments",
    project: expect.any(String),
    // As on pages: the span names no service.
    service: data[1]?.project,
    tier: "gold",
  });
  expect(meta.fields["span.duration"]).toBe("duration");
  const { data: segments } = await search(`dataset=transactions&query=trace:${TRACE}&field=id`);
  expect(segments).toEqual([{ id: toSpanId("root") }]);
});

test("a name of a convention that no span has is null: stock tools ask for these, whatever there is", async () => {
  const { data } = await search(`dataset=spans&query=trace:${TRACE}&field=gen_ai.agent.name&field=precise.start_ts`);
  expect(data[0]).toEqual({ "gen_ai.agent.name": null, "precise.start_ts": null });
});

test.each(["spans", "logs"])(
  "a search of %s for a name of a convention that none has finds nothing",
  async (dataset) => {
    await sendEnvelope(server, makeLogEnvelope(TRACE, [[0, "info", "there is a line", "root"]], Date.now() - 60_000));
    await waitFor("a line", async () => (await search("dataset=logs")).data.length > 0);
    const rows = `dataset=${dataset}&query=`;
    expect((await search(`${rows}gen_ai.conversation.id:abc`)).data).toEqual([]);
    expect((await search(`${rows}has:gen_ai.agent.name`)).data).toEqual([]);
    await expect(search(`${rows}gen_ia.conversation.id:abc`)).rejects.toThrow("400");
    if (dataset === "spans") await expect(search(`${rows}http.requst.method:GET`)).rejects.toThrow("400");
  },
);

test("a trace says how many of its spans are shortened, and a span how many attributes are left out", async () => {
  const trace = crypto.randomUUID().replaceAll("-", "");
  const data = Object.fromEntries(Array.from({ length: 505 }, (_, index) => [`own.key.${index}`, index]));
  const spans: SentSpan[] = [
    ["short", null, "job", "short", 0, 50],
    ["wide", "short", "job", "wide", 0, 50, { data }],
  ];
  await sendEnvelope(server, makeTraceEnvelope(trace, spans, { atMs: Date.now() - 60_000 }));
  await waitFor("spans", async () => (await search(`dataset=spans&query=trace:${trace}`)).data.length === 2);
  const ask = async (path: string, header: string) => {
    const response = await fetch(`${server.url}/api/0${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect([response.status, response.headers.get("x-unseen-projects")]).toEqual([200, null]);
    return response.headers.get(header);
  };
  const item = (id: string) => `/projects/default/shop/trace-items/${toSpanId(id)}/?trace_id=${trace}`;
  expect(await ask(item("wide"), "x-attributes-left-out")).toBe("5");
  expect(await ask(item("short"), "x-attributes-left-out")).toBeNull();
  expect(await ask(`${ORGANIZATION}/trace/${trace}/`, "x-spans-shortened")).toBe("1");
  expect(await ask(`${ORGANIZATION}/trace/${TRACE}/`, "x-spans-shortened")).toBeNull();
});

test("attributes may be named as `tags[key]`, with their type", async () => {
  const trace = crypto.randomUUID().replaceAll("-", "");
  const spans: SentSpan[] = [["job", null, "queue.task", "rare", 0, 50, { data: { tier: "gold", tries: 3 } }]];
  await sendEnvelope(server, makeTraceEnvelope(trace, spans, { atMs: Date.now() - 60_000 }));
  const rows = `dataset=spans&query=trace:${trace}&field=tags[tier]&field=tags[tries,number]`;
  await waitFor("spans", async () => (await search(rows)).data.length === 1);
  const { data, meta } = await search(rows);
  expect(data).toEqual([{ "tags[tier]": "gold", "tags[tries,number]": 3 }]);
  expect(meta.fields["tags[tries,number]"]).toBe("number");
  const groups = await search(`dataset=spans&query=trace:${trace}&field=tags[tier,string]&field=count()`);
  expect(groups.data).toEqual([{ "tags[tier,string]": "gold", "count()": 1 }]);
});

test("a transaction without a name has an empty one: null would end the list in stock tools", async () => {
  const trace = crypto.randomUUID().replaceAll("-", "");
  const at = Date.now() / 1000 - 60;
  const id = toSpanId("nameless");
  const span = { trace_id: trace, span_id: id, name: "", is_segment: true, start_timestamp: at, end_timestamp: at + 1 };
  const header = { type: "span", item_count: 1, content_type: "application/vnd.sentry.items.span.v2+json" };
  await sendEnvelope(server, `{}\n${JSON.stringify(header)}\n${JSON.stringify({ items: [span] })}\n`);
  const rows = `dataset=transactions&query=trace:${trace}&field=transaction`;
  await waitFor("the span", async () => (await search(rows)).data.length === 1);
  expect((await search(rows)).data).toEqual([{ transaction: "" }]);
  expect((await search(`${rows}&field=count()`)).data).toEqual([{ transaction: "", "count()": 1 }]);
});

test("figures are of the groups that the other fields name", async () => {
  const { data } = await search(
    `dataset=spans&query=trace:${TRACE}&field=span.description&field=count()&field=failure_rate()&field=max(span.duration)&sort=-count`,
  );
  expect(data[0]).toEqual({
    "span.description": "SELECT * FROM carts WHERE id = ?",
    "count()": 2,
    "failure_rate()": 0.5,
    "max(span.duration)": expect.closeTo(30, -0.5),
  });
  expect(data).toHaveLength(3);
});

test("what is grouped by has the type that it has in single spans", async () => {
  const trace = crypto.randomUUID().replaceAll("-", "");
  const data = { "http.response.status_code": 404, "cache.hit": true };
  const spans: SentSpan[] = [["typed", null, "http.client", "GET", 0, 50, { data }]];
  await sendEnvelope(server, makeTraceEnvelope(trace, spans, { atMs: Date.now() - 60_000 }));
  const fields = ["is_segment", "cache.hit", "http.response.status_code", "project.id", "timestamp", "span.duration"];
  const rows = (some: readonly string[]) =>
    `dataset=spans&query=trace:${trace}${some.map((field) => `&field=${field}`).join("")}`;
  const [single] = await waitFor("the span", async () => {
    const found = await search(rows(fields));
    return found.data.length === 1 && found.data;
  });
  expect(single).toMatchObject({ is_segment: true, "cache.hit": true, "http.response.status_code": 404 });
  for (const some of [fields.slice(0, 3), fields.slice(3)]) {
    const groups = await search(`${rows(some)}&field=count()`);
    expect(groups.data).toEqual([
      { ...Object.fromEntries(some.map((field) => [field, single?.[field]])), "count()": 1 },
    ]);
    const kinds: Record<string, string> = { ...groups.meta.fields };
    for (const field of some) {
      const isNumber = ["number", "integer", "duration"].includes(kinds[field] ?? "");
      expect(isNumber, field).toBe(typeof single?.[field] === "number");
    }
  }
});

test.each([
  ["spans", ["count()", "epm()", "p95(span.duration)"], [0, 0, null]],
  ["logs", ["count()"], [0]],
  ["errors", ["count()", "count_unique(user)", "max(timestamp)"], [0, 0, null]],
])("of nothing, figures of all %s are 0, or null where there is none", async (dataset, figures, expected) => {
  const range = "start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z";
  const fields = figures.map((figure) => `&field=${figure}`).join("");
  const { data } = await search(`dataset=${dataset}&${range}${fields}`);
  expect(data.map((row) => figures.map((figure) => row[figure]))).toEqual([expected]);
  const grouped = await search(`dataset=${dataset}&${range}${fields}&field=release`);
  expect(grouped.data).toEqual([]);
});

test("figures over time have a point for each interval, and a series for each group", async () => {
  const path = `${ORGANIZATION}/events-stats/?dataset=spans&query=trace:${TRACE}&statsPeriod=1h&interval=10m`;
  const series = await getJson<{ data: Array<[number, [{ count: number }]]> }>(server, path);
  expect(series.data.reduce((sum, [, [{ count }]]) => sum + count, 0)).toBe(4);
  const groups = await getJson<Record<string, { order: number }>>(server, `${path}&field=span.op&topEvents=2`);
  expect(Object.keys(groups)[0]).toBe("db");
  expect(Object.keys(groups)).toHaveLength(2);
  const rows = await search(`dataset=spans&query=trace:${TRACE}&statsPeriod=1h&field=span.op&field=sum(span.duration)`);
  const most = await getJson<object>(server, `${path}&field=span.op&topEvents=1&sort=-sum(span.duration)`);
  expect(Object.keys(most)).toEqual([rows.data[0]?.["span.op"]]);
  expect(Object.keys(most)).not.toEqual(["db"]);
});

test("figures are of any attribute that has numbers, also as an order and over time", async () => {
  const trace = crypto.randomUUID().replaceAll("-", "");
  const of = (id: string, op: string, data: object): SentSpan => [id, null, op, "work", 0, 50, { data }];
  const spans = [of("a", "queue", { size: 0.5 }), of("b", "queue", { size: 7.5 }), of("c", "db", { size: -2 })];
  await sendEnvelope(server, makeTraceEnvelope(trace, spans, { atMs: Date.now() - 60_000 }));
  const rows = `dataset=spans&query=trace:${trace}&statsPeriod=1h&field=span.op&field=avg(size)&field=max(size)&sort=avg(size)`;
  const { data, meta } = await waitFor("the spans", async () => {
    const found = await search(rows.replace("avg(size)&field=max(size)&sort=avg(size)", "count()"));
    return found.data.length === 2 && (await search(rows));
  });
  expect(data[0]).toMatchObject({ "span.op": "db", "avg(size)": -2 });
  expect(data[1]).toMatchObject({ "span.op": "queue", "avg(size)": 4 });
  expect(Math.abs(Number(data[1]?.["max(size)"]) - 7.5)).toBeLessThan(7.5 * 0.03);
  expect(meta.fields["avg(size)"]).toBe("number");
  // As tools of Sentry name an attribute.
  const named = await search(`dataset=spans&query=trace:${trace}&statsPeriod=1h&field=sum(tags[size,number])`);
  expect(named.data).toEqual([{ "sum(tags[size,number])": 6 }]);
  const series = `${ORGANIZATION}/events-stats/?dataset=spans&query=trace:${trace}&statsPeriod=1h&interval=1h&yAxis=sum(size)`;
  const { data: points } = await getJson<{ data: Array<[number, [{ count: number }]]> }>(server, series);
  expect(points.reduce((sum, [, [{ count }]]) => sum + count, 0)).toBe(6);
});

test("figures of spans that were sampled count what they stand for, and say on how few they rest", async () => {
  const sampled = crypto.randomUUID().replaceAll("-", "");
  const spans: SentSpan[] = [["job", null, "queue.task", "rare", 0, 50, { data: { "sentry.sample_rate": 0.1 } }]];
  await sendEnvelope(server, makeTraceEnvelope(sampled, spans, { atMs: Date.now() - 60_000 }));
  const path = `dataset=spans&query=trace:${sampled}`;
  const rows = `${ORGANIZATION}/events/?${path}&field=span.op&field=count()`;
  interface Sampled extends Rows {
    meta: Rows["meta"] & { accuracy: object };
  }
  const found = await waitFor("the span", async () => {
    const answer = await getJson<Sampled>(server, rows);
    return answer.data.length > 0 && answer;
  });
  expect(found.data).toEqual([{ "span.op": "queue.task", "count()": expect.closeTo(10) }]);
  expect(found.meta.accuracy).toEqual({
    sampleCount: [{ "count()": 1 }],
    samplingRate: [{ "count()": expect.closeTo(0.1) }],
    confidence: [{ "count()": "low" }],
  });
  const ofTime = `${path}&statsPeriod=1h&interval=10m`;
  const { meta } = await getJson<{ meta: { accuracy: { confidence: object[] } } }>(
    server,
    `${ORGANIZATION}/events-stats/?${ofTime}`,
  );
  expect(meta.accuracy.confidence).toContainEqual({ timestamp: expect.any(Number), value: "low" });
  expect(meta.accuracy.confidence).toContainEqual({ timestamp: expect.any(Number), value: null });
  const { timeSeries } = await getJson<{ timeSeries: Array<{ values: object[] }> }>(
    server,
    `${ORGANIZATION}/events-timeseries/?${ofTime}`,
  );
  expect(timeSeries[0]?.values).toContainEqual(
    expect.objectContaining({
      value: expect.closeTo(10),
      sampleCount: 1,
      sampleRate: expect.closeTo(0.1),
      confidence: "low",
    }),
  );
});

test("lists what spans can be searched by", async () => {
  const path = `${ORGANIZATION}/trace-items/attributes/?itemType=spans`;
  const attributes = await getJson<Array<{ key: string }>>(server, path);
  expect(attributes.map(({ key }) => key)).toContain("span.op");
  const numbers = await getJson<Array<{ key: string }>>(server, `${path}&attributeType=number&substringMatch=duration`);
  expect(numbers).toEqual([
    {
      key: "span.duration",
      name: "span.duration",
      attributeType: "number",
      attributeSource: { source_type: "sentry" },
    },
  ]);
});

test("a trace is a tree of its spans, with its errors and log lines", async () => {
  await sendEnvelope(server, makeLogEnvelope(TRACE, [[5, "info", "paying", "pay"]], Date.now() - 60_000));
  const trace = { trace_id: TRACE, span_id: toSpanId("pay") };
  const { eventId, envelope } = toEventEnvelope({
    message: "Payment refused",
    tags: { plan: "pro" },
    contexts: { trace },
  });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  interface Node {
    span_id: string;
    duration: number;
    children: Node[];
    errors: Array<{ event_id: string; issue: string }>;
  }
  const [root, ...others] = await getJson<Node[]>(server, `${ORGANIZATION}/trace/${TRACE}/`);
  expect(others).toEqual([]);
  expect(root).toMatchObject({ span_id: toSpanId("root"), duration: expect.closeTo(1_000, 0), is_transaction: true });
  expect(root?.children.map(({ span_id }) => span_id)).toEqual(["one", "two", "pay"].map(toSpanId));
  expect(root?.children[2]).toMatchObject({ additional_attributes: { tier: "gold" } });
  expect(root?.children[2]?.errors).toMatchObject([{ event_id: eventId, issue: expect.stringMatching(/^[A-Z]+-1$/) }]);
  const path = `/projects/default/shop/trace-items/${toSpanId("pay")}/?trace_id=${TRACE}&item_type=spans`;
  const { attributes } = await getJson<{ attributes: Array<{ name: string }> }>(server, path);
  expect(attributes).toContainEqual({ name: "tier", type: "str", value: "gold" });
  await waitFor("the line", async () => {
    const { data } = await getJson<Rows>(server, `${ORGANIZATION}/trace-logs/?traceId=${TRACE}`);
    return data[0]?.message === "paying" && data[0].span_id === toSpanId("pay");
  });
});

test("a service of a trace begins a transaction of its own, as it does in searches", async () => {
  const trace = crypto.randomUUID().replaceAll("-", "");
  const stock = await makeProject(server, "stock-room");
  const times = { atMs: Date.now() - 60_000 };
  const calling: SentSpan[] = [
    ["page", null, "pageload", "/cart", 0, 100],
    ["call", "page", "http.client", "GET /stock", 10, 50],
  ];
  const called: SentSpan[] = [
    ["serve", "call", "http.server", "GET /stock/:sku", 20, 30],
    ["query", "serve", "db", "SELECT", 25, 5],
  ];
  await sendEnvelope(server, makeTraceEnvelope(trace, calling, times));
  await sendEnvelope({ ...server, dsn: stock.dsn }, makeTraceEnvelope(trace, called, times));
  const rows = `dataset=spans&query=trace:${trace}&field=id&field=transaction`;
  const { data } = await waitFor("spans", async () => {
    const found = await search(rows);
    return found.data.length === 4 && found;
  });
  interface Node {
    span_id: string;
    transaction: string;
    is_transaction: boolean;
    children: Node[];
  }
  const flatten = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...flatten(node.children)]);
  const nodes = flatten(await getJson<Node[]>(server, `${ORGANIZATION}/trace/${trace}/`));
  for (const { id, transaction } of data)
    expect(nodes.find(({ span_id }) => span_id === id)).toMatchObject({ transaction });
  expect(nodes.map(({ transaction }) => transaction)).toEqual(["/cart", "/cart", "GET /stock/:sku", "GET /stock/:sku"]);
  expect(nodes.map(({ is_transaction }) => is_transaction)).toEqual([true, false, true, false]);
});

test("errors of all issues are listed, grouped and counted over time", async () => {
  const { data } = await search(`dataset=errors&query=trace:${TRACE}&field=title&field=plan&field=issue&field=project`);
  expect(data).toEqual([
    { title: "Payment refused", plan: "pro", issue: expect.stringMatching(/^[A-Z]+-1$/), project: "shop" },
  ]);
  const issue = String(data[0]?.issue);
  const groups = await search(
    `dataset=errors&query=issue:${issue}&field=issue&field=plan&field=count()&field=count_unique(user)&field=last_seen()&sort=-count`,
  );
  expect(groups.data).toEqual([
    { issue, plan: "pro", "count()": 1, "count_unique(user)": 0, "last_seen()": expect.stringMatching(/Z$/) },
  ]);
  // A tag may be named as Sentry does where a field is called like it.
  expect((await search(`dataset=errors&query=trace:${TRACE}&field=tags[plan]`)).data).toEqual([
    { "tags[plan]": "pro" },
  ]);
  expect((await search(`dataset=errors&query=trace:${TRACE}&field=tags[plan]&field=count()`)).data).toEqual([
    { "tags[plan]": "pro", "count()": 1 },
  ]);
  // Numbers are numbers, a user is named as people know them, and what is the same for all errors is no empty value.
  const { id } = await getJson<{ id: string }>(server, `/issues/${issue}/`);
  const numbers = await search(
    `dataset=errors&query=issue:${issue}&field=project_id&field=issue.id&field=event.type&field=count()`,
  );
  const projectId = Number(projectIdOf(server));
  expect(numbers).toMatchObject({
    data: [{ project_id: projectId, "issue.id": Number(id), "event.type": "error", "count()": 1 }],
    meta: { fields: { project_id: "integer", "issue.id": "integer", "event.type": "string" } },
  });
  for (const user of [{ id: "7", email: "ada@example.com" }, { id: "8", username: "bo" }, { id: "9" }, {}]) {
    const sent = toEventEnvelope({ message: "Named users", user });
    expect((await sendEnvelope(server, sent.envelope)).status).toBe(200);
    await waitForEvent(server, sent.eventId);
  }
  const named = await search('dataset=errors&query=title:"Named users"&field=user.display&field=count()');
  expect(named.data.map((row) => row["user.display"]).sort()).toEqual(["9", "ada@example.com", "bo", null]);
  const listed = await search('dataset=errors&query=title:"Named users"&field=user.display');
  expect(listed.data.map((row) => row["user.display"]).sort()).toEqual(["9", "ada@example.com", "bo", null]);
  const path = `dataset=errors&query=plan:pro&statsPeriod=1h&interval=10m`;
  const stats = await getJson<{ data: Array<[number, [{ count: number }]]> }>(
    server,
    `${ORGANIZATION}/events-stats/?${path}`,
  );
  expect(stats.data.reduce((sum, [, [{ count }]]) => sum + count, 0)).toBe(1);
  const { timeSeries } = await getJson<{ timeSeries: Array<{ groupBy: unknown; values: Array<{ value: number }> }> }>(
    server,
    `${ORGANIZATION}/events-timeseries/?${path}&field=project&topEvents=3`,
  );
  expect(timeSeries).toMatchObject([{ yAxis: "count()", groupBy: [{ key: "project", value: "shop" }] }]);
  expect(timeSeries[0]?.values.reduce((sum, { value }) => sum + value, 0)).toBe(1);
  expect((await search(`dataset=errors&query=!plan:pro trace:${TRACE}`)).data).toEqual([]);
});

test("tags of errors have values, of the organization and of a project", async () => {
  for (const owner of [ORGANIZATION, "/projects/default/shop"]) {
    const tags = await getJson<Array<{ key: string }>>(server, `${owner}/tags/`);
    expect(tags.map(({ key }) => key)).toContain("plan");
    const values = await getJson<unknown[]>(server, `${owner}/tags/plan/values/`);
    expect(values).toMatchObject([{ key: "plan", value: "pro", count: 1 }]);
  }
});

test.each([
  ["events/?dataset=metrics", /^dataset: this version of Culprit cannot search "metrics"/],
  ["events/?dataset=spans&query=is:unresolved", /^query: .*It says something about issues/],
  ["events/?dataset=spans&field=p42(measurements.lcp)", /^field: .*not supported/],
  ["events/?dataset=spans&sort=name", /^sort: /],
  ["events-stats/?dataset=spans&topEvents=3&field=span.op&sort=-name", /^sort: must be one of the fields, like -count/],
  [
    "events-stats/?dataset=errors&topEvents=3&field=title&sort=title",
    /^sort: groups are sorted by one of their figures/,
  ],
  ["events-stats/?dataset=spans&yAxis=nothing", /^yAxis: .*not supported/],
  ["trace-items/attributes/?itemType=metrics", /^itemType: /],
  ["trace-items/attributes/release/values/", /^itemType: /],
  ["events/?dataset=spans&query=custmer.tier:gold", /^query: “custmer.tier:” is not known/],
  [
    "events/?dataset=errors&query=a%20OR%20b%20OR%20c%20OR%20d%20OR%20e%20OR%20f%20OR%20g%20OR%20h%20OR%20i%20OR%20j%20OR%20k",
    /^query: A search looks for at most 10 words.*character 51/,
  ],
  [
    `events/?dataset=logs&query=${"plan:a%20OR%20".repeat(20)}plan:b`,
    /^query: A search looks for at most 20 .*attributes/,
  ],
  [
    `events/?dataset=spans&query=${"a*%20OR%20".repeat(20)}http.route:*b*`,
    /^query: A search looks for at most 20 words/,
  ],
  [`events/?dataset=logs&query=${"!a%20".repeat(20)}message:b`, /^query: A search looks for at most 20 words/],
  [`issues/?query=${"url:[*a*,*b*]%20".repeat(10)}message:c`, /^query: A search looks for at most 20 words/],
  ["events/?dataset=spans&query=id:zz", /^query: “id:” needs an id: 16 hexadecimal digits/],
  ["events/?dataset=logs&query=span_id:zz", /^query: “span_id:” needs an id: 16 hexadecimal digits/],
  ["events/?dataset=errors&query=issue:SHOP*", /^query: “issue:” takes whole short ids/],
  ["events/?dataset=errors&field=p95(span.duration)", /^field: .*not supported/],
  ["events/?dataset=errors&field=title&field=count()&sort=title", /^sort: /],
  ["events/?dataset=spans&cursor=zzz", /^cursor: must be one that an answer gave/],
  ["events/?dataset=transactions&field=span.op&field=count()&cursor=1-1", /^cursor: must be one that an answer gave/],
  ["events/?dataset=errors&cursor=zzz", /^cursor: must be one that an answer gave/],
  ["events/?dataset=errors&field=title&field=count()&cursor=a1.1", /^cursor: must be one that an answer gave/],
  ["issues/1/events/?cursor=zzz", /^cursor: must be one that an answer gave/],
  [
    `issues/?query=${encodeURIComponent("数".repeat(1_000))}`,
    /^the address has 9\d{3} characters, and that of a list may/,
  ],
  ["issues/?cursor=zzz", /^cursor: must be one that an answer gave/],
  ["issues/?sort=freq&cursor=last_seen.after.1.1", /^cursor: must be one that an answer gave/],
  ["releases/?cursor=zzz", /^cursor: must be one that an answer gave/],
  ["releases/?sort=semver&cursor=date.after.1.1.a", /^cursor: must be one that an answer gave/],
  ["repos/?cursor=zzz", /^cursor: must be one that an answer gave/],
  ["monitors/?cursor=zzz", /^cursor: must be one that an answer gave/],
  ["events/?dataset=spans&field=nosuch", /^field: No span of this time has the attribute “nosuch”\.$/],
  ["events/?dataset=spans&field=tags[http.nosuch]", /^field: No span of this time has the attribute “http.nosuch”/],
  ["events/?dataset=spans&field=tags[relase,number]", /^field: No span .* “relase”\. The nearest is “release”\.$/],
  ["events/?dataset=transactions&field=relase&field=count()", /^field: No span .* The nearest is “release”\.$/],
  ["events-stats/?dataset=spans&topEvents=3&field=relase", /^field: No span .* The nearest is “release”\.$/],
  ["events/?dataset=errors&field=nosuch", /^field: “nosuch” is no field of errors, and no event has such a tag\.$/],
  ["events/?dataset=errors&field=plna", /^field: “plna” .* The nearest is “plan”\.$/],
  ["events/?dataset=errors&field=tags[plna]", /^field: “tags\[plna\]” .* The nearest is “plan”\.$/],
  ["events/?dataset=errors&field=relase&field=count()", /^field: “relase” .* The nearest is “release”\.$/],
  ["events-stats/?dataset=errors&topEvents=3&field=plna", /^field: “plna” .* The nearest is “plan”\.$/],
  ["events-timeseries/?dataset=errors&topEvents=3&field=title&field=count(", /^field: "count\(" is not a whole figure/],
  ["events-stats/?dataset=errors&field=title", /^field: series are grouped only with topEvents/],
  ["events-stats/?dataset=spans&field=span.op", /^field: series are grouped only with topEvents/],
  ["events-timeseries/?dataset=logs&field=severity", /^field: series are grouped only with topEvents/],
  ["events/?dataset=errors&field=count(", /^field: "count\(" is not a whole figure/],
  ["events/?dataset=spans&field=avg(nosuch)", /^field: No span of this time has the attribute “nosuch”/],
  ["events/?dataset=spans&field=avg(sum(nosuch))", /^field: No span of this time has the attribute “sum\(nosuch\)”/],
  ["events-stats/?dataset=spans&yAxis=p95(nosuch)", /^field: No span of this time has the attribute “nosuch”/],
  ["events/?dataset=spans&field=avg(a)&field=avg(b)&field=avg(c)&field=avg(d)&field=avg(tier)", /^field: /],
  ["events/?dataset=spans&field=count(", /^field: "count\(" is not a whole figure/],
  ["events/?dataset=spans&field=count()&field=span.op)", /^field: "span.op\)" is not a whole figure/],
  ["events-stats/?dataset=transactions&topEvents=3&field=count(", /^field: "count\(" is not a whole figure/],
  ["tags/?dataset=spans", /^dataset: only errors have tags/],
])("%s is refused with the parameter's name", async (path, detail) => {
  const response = await fetch(`${server.url}/api/0${ORGANIZATION}/${path}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) });
});

test("a trace that is not there may never have come, or be deleted", async () => {
  const response = await fetch(`${server.url}/api/0${ORGANIZATION}/trace/1af7651916cd43dd8448eb211c80319c/`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(response.status).toBe(404);
  const detail = /may never have arrived: .* somebody may have deleted it, and spans are deleted after 90 days\./;
  expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) });
});
