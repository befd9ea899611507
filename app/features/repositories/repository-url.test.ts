import { expect, test } from "vitest";
import { findRepositoryPage, readRepositoryUrl, toRepositoryUrl } from "./repository-url.ts";

test.each([
  ["https://github.com/acme/shop", "https://github.com/acme/shop"],
  [" http://git.example:3000/acme/shop.git/ ", "http://git.example:3000/acme/shop"],
  ["https://github.com/acme/shop?tab=x#readme", "https://github.com/acme/shop"],
  ["https://github.com/", null],
  ["https://user:pw@github.com/acme/shop", null],
  ["git@github.com:acme/shop.git", null],
  ["javascript:alert(1)", null],
  ["acme/shop", null],
  [`https://x.example/${"a".repeat(2000)}`, null],
])("the address %j is kept as %j", (text, url) => {
  expect(toRepositoryUrl(text)).toBe(url);
});

test("a page is what people gave, or what the name and a public host say", () => {
  const of = (change: object) => findRepositoryPage({ name: "acme/shop", provider: null, url: null, ...change });
  expect(of({ url: "https://git.example/x", provider: "github" })).toBe("https://git.example/x");
  expect(of({ provider: "github" })).toBe("https://github.com/acme/shop");
  expect(of({ provider: "gitlab", name: "group/sub/shop" })).toBe("https://gitlab.com/group/sub/shop");
  for (const change of [{}, { provider: "gitea" }, { provider: "other" }, { provider: "github", name: "origin" }])
    expect(of(change)).toBeNull();
  for (const name of ["../x y", "a/b?c", "a//b", "@a/b"]) expect(of({ provider: "github", name })).toBeNull();
});

test("an address says the name, and the host where that is plain", () => {
  expect(readRepositoryUrl("https://github.com/acme/shop.git")).toEqual({ name: "acme/shop", provider: "github" });
  expect(readRepositoryUrl("https://gitlab.acme.example/a/b/c")).toEqual({ name: "a/b/c", provider: "gitlab" });
  expect(readRepositoryUrl("https://code.example/acme/shop")).toEqual({ name: "acme/shop", provider: null });
  expect(readRepositoryUrl("nowhere")).toBeNull();
});
