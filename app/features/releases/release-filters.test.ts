import { expect, test } from "vitest";
import { parseReleaseFilters, toReleaseListPath } from "./release-filters.ts";
import { readReleaseParam, toReleaseIssuesPath, toReleasePath } from "./release-paths.ts";

const read = (query: string) => parseReleaseFilters(new URLSearchParams(query));

test("what the URL does not say, or says oddly, is the default", () => {
  const defaults = { projectSlugs: [], status: "open", text: "", sort: "date", cursor: null };
  expect(read("")).toEqual(defaults);
  expect(read("status=odd&sort=odd&cursor=&project=")).toEqual(defaults);
  expect(read(`q=${"x".repeat(300)}`).text).toHaveLength(250);
});

test("filters survive the way through an address", () => {
  for (const query of ["project=a&project=b&q=web%401&status=archived&sort=semver&cursor=x", "status=all", ""]) {
    const filters = read(query);
    const path = toReleaseListPath(filters, { cursor: filters.cursor });
    expect(read(path.split("?")[1] ?? "")).toEqual(filters);
  }
});

test("several projects may be one choice", () => {
  expect(read("project=a,b&project=c").projectSlugs).toEqual(["a", "b", "c"]);
});

test("a change goes back to the first page", () => {
  expect(toReleaseListPath(read("cursor=x&q=1"), { sort: "semver" })).toBe("/releases?q=1&sort=semver");
});

test.each([
  ["web@1.4.0", "issues", "/releases/web%401.4.0"],
  ["a?b#c%2F d", "commits", "/releases/a%3Fb%23c%252F%20d/commits"],
  ["x.data", "issues", "/releases/x.data/issues"],
] as const)("the page of %s, %s, is %s", (version, tab, path) => {
  expect(toReleasePath(version, tab)).toBe(path);
});

test("a version's escapes survive the router, which reads them as slashes", () => {
  expect(readReleaseParam("a/b")).toBe("a%2Fb");
});

test("a search for a version with a blank is in quotes", () => {
  expect(toReleaseIssuesPath("release", "the big one", ["web"])).toBe(
    "/issues?project=web&range=90d&q=release%3A%22the+big+one%22",
  );
});
