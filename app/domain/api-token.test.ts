import { expect, test } from "vitest";
import { allowsScope, toApiScopes } from "./api-token.ts";

test("a scope allows itself, and nothing allows what nobody granted", () => {
  expect(allowsScope(["org:read"], ["org:read"])).toBe(true);
  expect(allowsScope(["org:read"], ["project:read"])).toBe(false);
  expect(allowsScope([], ["org:read"])).toBe(false);
});

test("what declares no scope is denied, and any one of several is enough", () => {
  expect(allowsScope([], [])).toBe(false);
  expect(allowsScope(["project:admin"], [])).toBe(false);
  expect(allowsScope(["project:read"], ["org:read", "project:read"])).toBe(true);
});

test("admin implies write implies read and releases", () => {
  expect(allowsScope(["project:admin"], ["project:write"])).toBe(true);
  expect(allowsScope(["project:admin"], ["project:read"])).toBe(true);
  expect(allowsScope(["project:admin"], ["project:releases"])).toBe(true);
  expect(allowsScope(["project:read"], ["project:write"])).toBe(false);
  expect(allowsScope(["event:write"], ["event:read"])).toBe(true);
  expect(allowsScope(["event:write"], ["project:read"])).toBe(false);
});

test("org:ci is for uploads and releases, and reads nothing else", () => {
  expect(allowsScope(["org:ci"], ["project:releases"])).toBe(true);
  expect(allowsScope(["org:ci"], ["project:read"])).toBe(false);
  expect(allowsScope(["org:ci"], ["event:read"])).toBe(false);
});

test("words become scopes in their own order, each once", () => {
  expect(toApiScopes(["project:read", "nonsense", "org:read", "org:read"])).toEqual(["org:read", "project:read"]);
});
