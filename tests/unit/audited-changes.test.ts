import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ROUTE_RIGHTS } from "../../app/access/route-rights.server.ts";
import { ENDPOINTS } from "../../app/web-api/endpoints.ts";
import { type Audited, ENDPOINT_WRITES, FORMS } from "../support/audited-changes.ts";

// Every form and every writing endpoint says which entry of the audit log it adds, or why it adds none. That it does is asked in
// tests/server/limited-viewer.test.ts and in the contract of the stores.

const root = resolve(import.meta.dirname, "../..");
const sources = globSync("app/**/*.{ts,tsx}", { cwd: root }).filter((path) => !/\.(test|contract)\./.test(path));
const read = (path: string) => readFileSync(resolve(root, path), "utf8");

/** Intents as forms and their readers spell them. */
function findIntents(text: string): string[] {
  const buttons = [...text.matchAll(/(?:name="intent"\s+value|\bintent)="([a-z-]+)"/g)].map(
    ([, intent = ""]) => intent,
  );
  const lists = [...text.matchAll(/(?:readIntent\([^[\n]*|_INTENTS = )\[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([a-z-]+)"/g)].map(([, intent = ""]) => intent),
  );
  const compared = [...text.matchAll(/(?<!typeof )\bintent(?:"\))? === "([a-z-]+)"/g)].map(([, intent = ""]) => intent);
  return [...buttons, ...lists, ...compared];
}

test("every route that takes a form says what the audit log gets of it", () => {
  const posted = Object.keys(ROUTE_RIGHTS).filter((route) => ROUTE_RIGHTS[route]?.post);
  expect(Object.keys(FORMS).sort(), "FORMS of tests/support/audited-changes.ts").toEqual(posted.sort());
});

test("every intent of a form says what the audit log gets of it", () => {
  const known = new Set(Object.values(FORMS).flatMap((intents) => Object.keys(intents)));
  const found = sources.flatMap((path) => findIntents(read(path)).map((intent) => ({ path, intent })));
  expect(found.length).toBeGreaterThan(80);
  expect(
    found.filter(({ intent }) => !known.has(intent)),
    "say in FORMS of tests/support/audited-changes.ts which entry it adds, or why none",
  ).toEqual([]);
});

test("every endpoint that writes says what the audit log gets of it", () => {
  const writing = ENDPOINTS.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(ENDPOINT_WRITES).sort(), "ENDPOINT_WRITES of tests/support/audited-changes.ts").toEqual(
    writing.sort(),
  );
});

test("every entry that is promised is written by something, and every reason says something", () => {
  const text = sources
    .filter((path) => !path.startsWith("app/domain/audit/"))
    .map(read)
    .join("\n");
  const all: Audited[] = [
    ...Object.values(FORMS).flatMap((each) => Object.values(each)),
    ...Object.values(ENDPOINT_WRITES),
  ];
  for (const audited of all) {
    if ("none" in audited) expect(audited.none.length).toBeGreaterThan(10);
    else expect(audited.filter((action) => !text.includes(`"${action}"`))).toEqual([]);
  }
});
