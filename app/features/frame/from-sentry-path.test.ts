import { expect, test } from "vitest";
import { fromSentryPath } from "./from-sentry-path.ts";

const projects = [{ id: 7, slug: "shop" }];
const from = (path: string, search = "") => fromSentryPath(path, new URLSearchParams(search), projects);

test("issues, their events, releases and projects have a page here", () => {
  expect(from("")).toBe("/issues");
  expect(from("/issues/SHOP-1/")).toBe("/issues/SHOP-1");
  expect(from("/issues/12/events/latest/")).toBe("/issues/12");
  expect(from("/issues/12/events/abc/")).toBe("/issues/12/events/abc");
  expect(from("/issues/12/tags/")).toBe("/issues/12");
  expect(from("/issues/SHOP-U12/")).toBe("/feedback/12");
  expect(from("/issues/", "query=issue.category%3Afeedback+is%3Aunresolved&project=7")).toBe("/feedback?project=shop");
  expect(from("/releases/web%401.0%2F2/")).toBe("/releases/web%401.0%2F2");
  expect(from("/releases/%zz/")).toBe("/releases/%25zz");
  expect(from("/projects/shop/")).toBe("/projects/shop");
});

test("traces, logs and searches of them lead to the same here", () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  expect(from(`/explore/traces/trace/${trace}/`, "node=span-b7ad6b7169203331")).toBe(
    `/traces/${trace}?span=b7ad6b7169203331`,
  );
  expect(from(`/performance/trace/${trace}`)).toBe(`/traces/${trace}`);
  expect(from("/explore/traces/trace/nothing")).toBeNull();
  expect(from("/explore/")).toBe(from("/explore/traces/"));
  expect(from("/explore/traces/", "query=span.op:db&project=7&statsPeriod=14d&field=id&sort=-timestamp")).toBe(
    "/traces?q=span.op%3Adb&project=shop&range=14d",
  );
  const groups = new URLSearchParams([
    ["aggregateField", '{"groupBy":"transaction"}'],
    ["aggregateField", '{"yAxes":["count()","p90(span.duration)","nothing()"]}'],
    ["aggregateField", "{"],
  ]);
  expect(from("/explore/traces/", groups.toString())).toBe(
    "/traces?show=count%28%29&show=p90%28span.duration%29&by=transaction&view=aggregates",
  );
  expect(from("/explore/logs/", "logsQuery=severity:error&project=-1&statsPeriod=7d&mode=samples")).toBe(
    "/logs?range=7d&q=severity%3Aerror",
  );
  expect(from("/explore/discover/homepage/", "query=level:error&dataset=errors")).toBe("/issues?q=level%3Aerror");
  expect(from("/replays/123/")).toBeNull();
});

test("the filters of the issue list are kept", () => {
  expect(from("/issues/")).toBe("/issues");
  expect(from("/issues/", "query=is:resolved%20level:error&project=7&project=gone&environment=prod")).toBe(
    "/issues?project=shop&project=gone&environment=prod&q=is%3Aresolved+level%3Aerror",
  );
  expect(from("/issues/", "query=&project=-1&statsPeriod=24h&sort=freq&cursor=0:100:0")).toBe(
    "/issues?range=24h&q=&sort=events",
  );
  expect(from("/issues/", "statsPeriod=5w&sort=constructor")).toBe("/issues");
});
