import { expect, test } from "vitest";
import { toExternalName, toFormUrl, toTracker, toWebUrl } from "./tracker.ts";

const text = { title: "SHOP-1: It & that", body: "Where\nhttps://errors.example.com/issues/1" };
const form = (address: string) => {
  const tracker = toTracker(address);
  if (!tracker) throw new Error(`${address} is no tracker`);
  const url = new URL(toFormUrl(tracker, text));
  return [tracker.kind, `${url.origin}${url.pathname}`, Object.fromEntries(url.searchParams)];
};

test("the form of each tracker is filled in", () => {
  expect(form("https://github.com/acme/shop/")).toEqual(["github", "https://github.com/acme/shop/issues/new", text]);
  expect(form("https://gitlab.acme.example/web/shop")).toEqual([
    "gitlab",
    "https://gitlab.acme.example/web/shop/-/issues/new",
    { "issue[title]": text.title, "issue[description]": text.body },
  ]);
  expect(form("https://acme.atlassian.net/?pid=10001&issuetype=3")).toEqual([
    "jira",
    "https://acme.atlassian.net/secure/CreateIssueDetails!init.jspa",
    { pid: "10001", issuetype: "3", summary: text.title, description: text.body },
  ]);
  expect(form("https://linear.app/acme/team/SHOP")).toEqual([
    "linear",
    "https://linear.app/acme/team/SHOP/new",
    { title: text.title, description: text.body },
  ]);
});

test("other hosts need a choice, and other schemes and passwords are refused", () => {
  expect(toTracker("https://code.acme.example/shop")).toBeNull();
  expect(toTracker("https://code.acme.example/shop", "gitlab")?.kind).toBe("gitlab");
  for (const bad of [
    "javascript:alert(1)//github",
    "github.com/acme",
    "https://a:b@github.com/acme",
    `https://github.com/${"a".repeat(1_000)}`,
  ])
    expect(toWebUrl(bad)).toBeNull();
});

test("a long text is cut, not the address", () => {
  const tracker = { kind: "github", address: "https://github.com/acme/shop" } as const;
  const url = toFormUrl(tracker, { title: "T", body: "é".repeat(20_000) });
  expect(url.length).toBeLessThanOrEqual(6_000);
  expect(new URL(url).searchParams.get("title")).toBe("T");
});

test("an issue elsewhere has the name that people use", () => {
  const name = (url: string) => toExternalName(new URL(url));
  expect(name("https://github.com/acme/shop/issues/12#note")).toBe("acme/shop#12");
  expect(name("https://gitlab.com/acme/web/shop/-/issues/7")).toBe("acme/web/shop#7");
  expect(name("https://acme.atlassian.net/browse/SHOP-12")).toBe("SHOP-12");
  expect(name("https://linear.app/acme/issue/ABC-4/it-broke")).toBe("ABC-4");
  expect(name("https://tasks.example/t/%zz")).toBe("tasks.example/t/%zz");
});
