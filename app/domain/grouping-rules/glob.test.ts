import { expect, test } from "vitest";
import { compileGlob, matchesGlob } from "./glob.ts";

const PLENTY = () => ({ steps: 1e9 });

test.each([
  ["TypeError", "TypeError", true],
  ["TypeError", "typeerror", false],
  ["*Error", "TypeError", true],
  ["*", "", true],
  ["?at", "cat", true],
  ["?at", "at", false],
  ["a*b*c", "a1b2c", true],
  ["a*b*c", "a1c2b", false],
  ["a.b", "axb", false],
])("%s and %s: %s", (pattern, text, expected) => {
  expect(matchesGlob(compileGlob(pattern), text, PLENTY())).toBe(expected);
});

test.each([
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/a/b.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/a/b/c.ts", true],
  ["**/gen/**", "/srv/gen/a.ts", true],
  ["**/gen/**", "gen/a.ts", true],
  ["**/gen/**", "/srv/regen/a.ts", false],
  ["C:\\app\\*", "c:/app/main.cs", true],
  ["**.js", "https://a.com/x/y.js", true],
])("path %s and %s: %s", (pattern, text, expected) => {
  expect(matchesGlob(compileGlob(pattern, { isPath: true, ignoresCase: true }), text, PLENTY())).toBe(expected);
});

test("a pattern that leads everywhere costs its length times that of the text", () => {
  const budget = { steps: 1e9 };
  expect(matchesGlob(compileGlob(`${"a*".repeat(100)}b`), "a".repeat(2_000), budget)).toBe(false);
  expect(1e9 - budget.steps).toBeLessThan(201 * 1_024);
  const small = { steps: 100 };
  expect(matchesGlob(compileGlob("*a*a*"), "a".repeat(200), small)).toBe(false);
  expect(small.steps).toBeLessThan(0);
});
