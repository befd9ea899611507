import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../tests/support/temp-folder.ts";
import { findSource, toSourceStack } from "./source-stack.server.ts";

/** Line 2 of the built file, column 3, is line 11, column 5 of the source. */
const MAP = { version: 3, sources: ["../../app/ingest/accept.ts"], names: [], mappings: ";EAUI" };

function makeBuild(folder: string, map: string): string {
  const build = join(folder, "build/node");
  mkdirSync(build, { recursive: true });
  writeFileSync(join(build, "server.js.map"), map);
  return join(build, "server.js");
}

test("a stack of the built server names its sources", () => {
  using folder = makeTempFolder();
  const built = makeBuild(folder.path, JSON.stringify(MAP));
  const source = join(folder.path, "app/ingest/accept.ts");
  expect(toSourceStack(`Error: no\n    at accept (file://${built}:2:3)\n    at ${built}:2:9\n    at node:fs:1:1`)).toBe(
    `Error: no\n    at accept (${source}:11:5)\n    at ${source}:11:11\n    at node:fs:1:1`,
  );
  expect(findSource(built, 2, 3)).toEqual({ path: source, line: 11, column: 5 });
});

test("a place without a map, or with one that cannot be read, stays as it is", () => {
  using folder = makeTempFolder();
  const built = makeBuild(folder.path, "{");
  for (const stack of [`at ${built}:2:3`, "at /srv/build/node/none.js:1:1", "at /srv/app/x.js:1:1", ""])
    expect(toSourceStack(stack)).toBe(stack);
  expect(findSource(built, 2, 3)).toBeNull();
});
