import { afterAll, beforeAll, expect, test } from "vitest";
import { LOG_VOCABULARY } from "../../app/domain/search/log-vocabulary.ts";
import { getJson, sendEnvelope, waitFor } from "../support/api.ts";
import { makeLogEnvelope, toSpanId } from "../support/make-trace-envelope.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

// Log lines, as stock tools search them.

const ORGANIZATION = "/organizations/default";
const TRACE = crypto.randomUUID().replaceAll("-", "");
const LINES = [
  [0, "info", "a cart was filled", "one"],
  [10, "error", "a card was refused", "one"],
  [20, "warn", "the queue is long", "two"],
] as const;

let server: TestServer;

interface Rows {
  data: Array<Record<string, unknown>>;
}

const search = (query: string) => getJson<Rows>(server, `${ORGANIZATION}/events/?${query}`);
const ask = (path: string) =>
  fetch(`${server.url}/api/0${ORGANIZATION}/${path}`, { headers: { authorization: `Bearer ${server.token}` } });

beforeAll(async () => {
  server = await startServer();
  await sendEnvelope(server, makeLogEnvelope(TRACE, LINES, Date.now() - 60_000));
  await waitFor("lines", async () => (await search(`dataset=logs&query=trace:${TRACE}`)).data.length === 3);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test("lines are the newest first, with the fields that were asked for", async () => {
  const { data } = await search(
    "dataset=ourlogs&field=message&field=severity&field=severity_number&field=span_id&field=project&field=service&field=code.function",
  );
  expect(data.map(({ message }) => message)).toEqual(["the queue is long", "a card was refused", "a cart was filled"]);
  expect(data[0]).toEqual({
    message: "the queue is long",
    severity: "warning",
    severity_number: 13,
    span_id: toSpanId("two"),
    project: expect.any(String),
    // As on pages: the line names no service.
    service: data[0]?.project,
    "code.function": null,
  });
});

test("pages go on where the last one ended, and lines have ids of their own", async () => {
  const ids: unknown[] = [];
  let next: string | null = `events/?dataset=logs&field=sentry.item_id&per_page=2`;
  while (next !== null) {
    const answered = await ask(next);
    ids.push(...((await answered.json()) as Rows).data.map((row) => row["sentry.item_id"]));
    const [, rest] =
      /<[^>]*\/(events\/[^>]*)>; rel="next"; results="true"/.exec(answered.headers.get("link") ?? "") ?? [];
    next = rest ?? null;
  }
  expect(new Set(ids).size).toBe(3);
  // `sentry-cli logs list` asks for a thousand lines at once; of anything else, 100 are the most.
  const sized = async (query: string) => {
    const answered = await ask(`events/?field=trace&${query}`);
    return answered.ok ? "taken" : ((await answered.json()) as { detail: string }).detail;
  };
  expect(await sized("dataset=logs&per_page=1000")).toBe("taken");
  expect(await sized("dataset=logs&per_page=1001")).toBe("per_page: must be a whole number from 1 to 1000");
  expect(await sized("dataset=logs&field=count()&field=service&limit=101")).toContain("from 1 to 100");
  for (const dataset of ["errors", "spans"]) {
    for (const size of ["101", "1001"])
      expect(await sized(`dataset=${dataset}&per_page=${size}`)).toBe("per_page: must be a whole number from 1 to 100");
    for (const size of ["0", "1.5", "many"])
      expect(await sized(`dataset=${dataset}&limit=${size}`)).toBe("limit: must be a whole number from 1");
  }
  expect(ids).toHaveLength(3);
});

test("a line is found by its id, as the sentry command asks for it", async () => {
  const { data } = await search("dataset=logs&field=sentry.item_id&field=message&query=refused");
  const id = String(data[0]?.["sentry.item_id"]);
  const find = async (query: string) =>
    (await search(`dataset=logs&field=message&query=${encodeURIComponent(query)}`)).data.map(({ message }) => message);
  expect(await find(`sentry.item_id:[${id}]`)).toEqual(["a card was refused"]);
  expect(await find(`!id:${id}`)).toEqual(["the queue is long", "a cart was filled"]);
  expect(await find(`id:${"f".repeat(32)}`)).toEqual([]);
});

test("figures are of the numbers that lines have, by group or in all", async () => {
  const sum = async (query: string) => (await search(`dataset=logs&field=count()&${query}`)).data;
  const figures = "field=avg(severity_number)&field=max(severity_number)&field=p50(code.function)";
  expect(await sum(figures)).toEqual([
    { "count()": 3, "avg(severity_number)": 13, "max(severity_number)": 17, "p50(code.function)": null },
  ]);
  expect(await sum(`field=message&field=sum(severity_number)&query=severity:error`)).toEqual([
    { "count()": 1, message: "a card was refused", "sum(severity_number)": 17 },
  ]);
  expect(await sum(`${figures}&query=trace:${"0".repeat(32)}`)).toEqual([
    { "count()": 0, "avg(severity_number)": null, "max(severity_number)": null, "p50(code.function)": null },
  ]);
});

test("lines are counted by each key of the search", async () => {
  const count = async (key: string) => (await search(`dataset=logs&field=${key}&field=count()`)).data;
  expect(await count("project")).toEqual([{ project: expect.stringMatching(/^[a-z]/), "count()": 3 }]);
  expect(await count("project.id")).toEqual([{ "project.id": expect.any(Number), "count()": 3 }]);
  const keys = LOG_VOCABULARY.fields.map(({ key }) => key).filter((key) => key !== "id" && key !== "timestamp");
  for (const key of [...keys, "title"]) expect(await count(key), key).not.toEqual([]);
});

test("lines are counted over time, those that the search finds", async () => {
  const count = async (query: string) => {
    const { data } = await getJson<{ data: Array<[number, Array<{ count: number }>]> }>(
      server,
      `${ORGANIZATION}/events-stats/?dataset=logs&interval=5m&statsPeriod=1h&query=${query}`,
    );
    return data.reduce((sum, [, [point]]) => sum + (point?.count ?? 0), 0);
  };
  expect([await count(""), await count("severity:error"), await count("!severity:error")]).toEqual([3, 1, 2]);
});

test.each([
  ["events/?dataset=logs&query=(severity:error", "query:"],
  ["events/?dataset=logs&query=is:unresolved", "It says something about issues."],
  ["events/?dataset=logs&query=sevrity:error", "No log of this time has the attribute “sevrity”. The nearest is"],
  ["events/?dataset=logs&query=severity:error%20sevrity:error", "The nearest is “severity”. (at character 16)"],
  ["events/?dataset=logs&query=id:12", "needs an id: 32 hexadecimal digits"],
  ["events/?dataset=logs&sort=severity", "sorted by -timestamp"],
  ["events/?dataset=logs&field=sum(sevrity)", "field: No log of this time has the attribute “sevrity”. The nearest is"],
  ["events/?dataset=logs&field=sum()", "Logs have count(), and avg"],
  ["events/?dataset=logs&field=p95(span.duration)", "Logs have count(), and avg"],
  [
    `events/?dataset=logs${["code.function", "code.file.path", "code.line.number", "http.route", "url.path"].map((key) => `&field=avg(${key})`).join("")}`,
    "at most 4 attributes",
  ],
  ["events/?dataset=logs&field=id&field=count()", "each line has its own id"],
  ["events/?dataset=logs&field=timestamp&field=count()", "each line has its own timestamp"],
  ["events/?dataset=logs&field=timestamp_precise&field=count()", "each line has its own timestamp_precise"],
  ["events/?dataset=logs&field=sentry.item_id&field=count()", "each line has its own sentry.item_id"],
  ["events/?dataset=logs&field=service&field=count()&sort=service", "groups by -count()"],
  ["events/?dataset=logs&field=service&field=count()&sort=count()", "groups by -count()"],
  ["events/?dataset=logs&field=tier", "field: No log of this time has the attribute “tier”."],
  [
    "events/?dataset=logs&field=tags[sevrity]",
    "field: No log of this time has the attribute “sevrity”. The nearest is",
  ],
  ["events/?dataset=logs&field=tier&field=count()", "field: No log of this time has the attribute “tier”."],
  ["events/?dataset=logs&field=count(", 'field: "count(" is not a whole figure'],
  ["events/?dataset=logs&cursor=12", "cursor"],
  ["events/?dataset=logs&field=severity&field=count()&cursor=t1", "cursor: must be one that an answer gave"],
  ["events-stats/?dataset=logs&yAxis=p95(span.duration)", "Over time, logs have count() alone"],
  ["events-stats/?dataset=logs&topEvents=3&field=severity", "topEvents"],
  ["events/?dataset=replays", "It can search errors, spans, spansEap, transactions, logs, ourlogs"],
])("%s is refused with a reason", async (path, reason) => {
  const answered = await ask(path);
  expect(answered.status).toBe(400);
  expect(((await answered.json()) as { detail: string }).detail).toContain(reason);
});

// The last one: the others count all lines that there are.
test("a line of a clock that is a little ahead is among those of now, unless an end is asked for", async () => {
  const ahead = crypto.randomUUID().replaceAll("-", "");
  await sendEnvelope(server, makeLogEnvelope(ahead, [[0, "info", "ahead", "a"]], Date.now() + 55_000));
  const end = new Date().toISOString();
  const count = async (range: string) =>
    (await search(`dataset=logs&field=message&query=trace:${ahead}&${range}`)).data.length;
  await waitFor("the line", async () => (await count("start=2020-01-01&end=2100-01-01")) === 1);
  expect([await count("statsPeriod=1h"), await count(""), await count(`end=${end}`)]).toEqual([1, 1, 0]);
});
