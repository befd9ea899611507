import { expect, test } from "vitest";
import { isSameRepository, type SourceLinks, toCommitUrl, toCompareUrl, toSourceUrl } from "./source-link.ts";

const links: SourceLinks = {
  host: "github",
  repositoryUrl: "https://github.com/acme/shop",
  template: null,
  defaultBranch: "main",
  codeMappings: [],
};
const at = (filename: string, more: object = {}) => ({ filename, lineno: 14, colno: 9, ...more });

test.each([
  ["github", "https://github.com/acme/shop/blob/abc123/src/cart.ts#L14"],
  ["gitlab", "https://github.com/acme/shop/-/blob/abc123/src/cart.ts#L14"],
  ["gitea", "https://github.com/acme/shop/src/abc123/src/cart.ts#L14"],
  ["bitbucket", "https://github.com/acme/shop/src/abc123/src/cart.ts#lines-14"],
] as const)("a frame is found in %s", (host, url) => {
  expect(toSourceUrl({ ...links, host }, at("src/cart.ts"), "abc123")).toBe(url);
});

test("a template of one's own takes path, line, column and revision", () => {
  const other: SourceLinks = {
    ...links,
    host: "other",
    repositoryUrl: null,
    template: "https://code.example/{revision}/+/{path}?l={line}&c={column}&x={unknown}",
  };
  expect(toSourceUrl(other, at("src/a b.ts"), "feature/x")).toBe(
    "https://code.example/feature/x/+/src/a%20b.ts?l=14&c=9&x={unknown}",
  );
  expect(toCommitUrl(other, "abc")).toBeNull();
  expect(toSourceUrl({ ...other, template: "javascript:alert({line})//{path}" }, at("a.ts"), null)).toBeNull();
});

test("without a revision, the default branch is shown", () => {
  expect(toSourceUrl({ ...links, defaultBranch: "release/2" }, at("a.ts"), null)).toBe(
    "https://github.com/acme/shop/blob/release/2/a.ts#L14",
  );
});

test.each([
  ["webpack:///./src/a.ts", "src/a.ts"],
  ["webpack://shop/./src/a.ts?4f2e", "src/a.ts"],
  ["app:///src/a.ts", "src/a.ts"],
  ["./src/a.ts", "src/a.ts"],
  ["../../src/a.ts", "src/a.ts"],
  ["~/src/a.ts", "src/a.ts"],
  ["src\\shop\\a.ts", "src/shop/a.ts"],
])("%s is %s in the repository", (filename, path) => {
  expect(toSourceUrl(links, at(filename), null)).toBe(`https://github.com/acme/shop/blob/main/${path}#L14`);
});

test.each([
  "https://shop.example/assets/index-4f2e.js",
  "/srv/app/src/a.ts",
  "C:\\app\\src\\a.ts",
  "node:internal/modules/run_main",
  "<anonymous>",
  "src/../../../etc/passwd",
  "node_modules/react/index.js",
  "./",
])("%s is no place of the repository", (filename) => {
  expect(toSourceUrl(links, at(filename), null)).toBeNull();
});

test("a frame without a line gets no link", () => {
  expect(toSourceUrl(links, { filename: "src/a.ts" }, null)).toBeNull();
});

test("a mapping changes where a path leads", () => {
  const own = { ...links, codeMappings: [{ stackRoot: "/srv/app/", sourceRoot: "packages/web" }] };
  expect(toSourceUrl(own, at("a.ts", { abs_path: "/srv/app/src/a.ts" }), null)).toBe(
    "https://github.com/acme/shop/blob/main/packages/web/src/a.ts#L14",
  );
  expect(toSourceUrl(own, at("src/a.ts"), null)).toBeNull();
});

test("what a revision and a commit are called cannot leave its place in the address", () => {
  expect(toSourceUrl(links, at("a.ts"), "v1?x#y")).toBe("https://github.com/acme/shop/blob/v1%3Fx%23y/a.ts#L14");
  expect(toCommitUrl(links, "abc")).toBe("https://github.com/acme/shop/commit/abc");
  expect(toCompareUrl(links, "abc", "def")).toBe("https://github.com/acme/shop/compare/abc...def");
});

test.each([
  ["acme/shop", true],
  ["Acme/Shop.git", true],
  ["https://github.com/acme/shop", true],
  ["git@github.com:acme/shop.git", true],
  ["shop", true],
  ["", true],
  ["origin", true],
  ["acme/api", false],
  ["evilacme/shop", false],
])("commits of %j are of this repository: %j", (repository, isSame) => {
  expect(isSameRepository(links, repository)).toBe(isSame);
});
