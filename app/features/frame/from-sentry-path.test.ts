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
  expect(from("/releases/web%401.0%2F2/")).toBe("/releases/web%401.0%2F2");
  expect(from("/releases/%zz/")).toBe("/releases/%25zz");
  expect(from("/projects/shop/")).toBe("/projects/shop");
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
