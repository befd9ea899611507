import { expect, test } from "vitest";
import { parseSearch } from "./issue-search.ts";
import { takeReleaseWords } from "./release-words.ts";

test.each([
  ["release:web@1.4.0", { release: "web@1.4.0" }],
  ["is:unresolved first-release:web@1.4.0 cart", { firstRelease: "web@1.4.0" }],
  ['firstRelease:"the big one" Release:2', { firstRelease: "the big one", release: "2" }],
  ["!release:1", {}],
  ["prerelease:1 http://release:1 TypeError: release", {}],
  ['"release:1"', {}],
])("%s names %j", (search, filter) => {
  expect(takeReleaseWords(search).filter).toEqual(filter);
});

test("what is not about releases stays", () => {
  expect(takeReleaseWords("is:new release:1 cart").rest).toMatch(/^is:new\s+cart$/);
});

test("a word without a version, or a second one, is not dropped in silence", () => {
  expect(takeReleaseWords("release: first-release:1 first-release:2")).toMatchObject({
    filter: { firstRelease: "1" },
    problems: ["“release:” needs a version after the colon.", expect.stringContaining("first-release:2")],
  });
});

test("leaving a release out has no meaning, and is said to have none", () => {
  expect(takeReleaseWords("!release:1 cart")).toEqual({
    filter: {},
    rest: "cart",
    problems: ["“!release:1” is not known: an issue may have events of several releases."],
  });
});

test("the issue list is searched by them, with the other words", () => {
  expect(parseSearch("is:resolved release:web@1.4.0 cart")).toMatchObject({
    filter: { statuses: ["resolved"], release: "web@1.4.0", text: ["cart"] },
    problems: [],
  });
});
