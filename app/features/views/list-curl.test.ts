import { expect, test } from "vitest";
import { toListCurl } from "./list-curl.ts";

const at = { origin: "https://culprit.example", organization: "default" };

test("a list of issues as a command, quoted for the shell", () => {
  const query = new URLSearchParams({ project: "shop", q: 'it\'s "broken" level:error', range: "24h", sort: "events" });
  expect(toListCurl("issues", query.toString(), at)).toBe(
    [
      'curl -G -H "Authorization: Bearer $TOKEN"',
      "'https://culprit.example/api/0/organizations/default/issues/'",
      "--data-urlencode 'project=shop'",
      "--data-urlencode 'statsPeriod=24h'",
      "--data-urlencode 'query=it'\\''s \"broken\" level:error'",
      "--data-urlencode 'sort=freq'",
    ].join(" \\\n  "),
  );
});

test("logs of a chosen time, and spans", () => {
  const logs = toListCurl("logs", "range=0-60000&environment=a&environment=b", at);
  expect(logs).toContain("/events/'");
  for (const each of [
    "dataset=logs",
    "environment=a",
    "environment=b",
    "start=1970-01-01T00:00:00.000Z",
    "end=1970-01-01T00:01:00.000Z",
  ])
    expect(logs).toContain(`--data-urlencode '${each}'`);
  expect(logs).not.toContain("field=");
  const spans = toListCurl("traces", "q=span.op:db&period=6h&project=api", at);
  for (const each of ["dataset=spans", "project=api", "statsPeriod=6h", "query=span.op:db"])
    expect(spans).toContain(`--data-urlencode '${each}'`);
});

test("a command for groups of spans asks for their keys and figures, in the order of the page", () => {
  const ask = (query: string) =>
    [...(toListCurl("traces", query, at) ?? "").matchAll(/--data-urlencode '((?:field|sort)=[^']*)'/g)].map(
      ([, parameter]) => parameter,
    );
  const groups = "view=aggregates&by=tier&show=count()&show=p95(span.duration)";
  expect(ask(groups)).toEqual(["field=tier", "field=count()", "field=p95(span.duration)", "sort=-count()"]);
  expect(ask(`${groups}&sort=tier`).at(-1)).toBe("sort=tier");
  expect(ask("view=aggregates&by=&show=max(span.duration)")).toEqual(["field=max(span.duration)"]);
  expect(ask("order=slowest")).toEqual(["sort=-span.duration"]);
  expect(ask("")).toEqual([]);
});

test("a command for lines that are counted by a key asks for the counts", () => {
  const logs = toListCurl("logs", "q=level:error&by=http.route", at) ?? "";
  expect(logs.split(" \\\n  ").slice(-2)).toEqual([
    "--data-urlencode 'field=http.route'",
    "--data-urlencode 'field=count()'",
  ]);
});

test("performance has no command", () => {
  expect(toListCurl("performance", "", at)).toBeNull();
});
