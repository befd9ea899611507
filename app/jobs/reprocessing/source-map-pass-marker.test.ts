import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { SourceMapPassMarker } from "./source-map-pass-marker.ts";

test("remembers the version until it is taken away, whatever was begun meanwhile", async () => {
  using folder = makeTempFolder();
  const path = join(folder.path, "mark.json");
  const marker = new SourceMapPassMarker(path);
  expect(await marker.read()).toBeNull();
  await marker.write(7);
  expect(await new SourceMapPassMarker(path).read()).toBe(7);
  await Promise.all([marker.write(8), marker.write(null)]);
  expect(existsSync(path)).toBe(false);
  await Promise.all([marker.write(null), marker.write(9)]);
  expect(await new SourceMapPassMarker(path).read()).toBe(9);
});

test("a mark that was cut off or cannot be read counts as missing", async () => {
  using folder = makeTempFolder();
  const path = join(folder.path, "mark.json");
  for (const text of ["", '{"artifactVersion":', "[]", '{"artifactVersion":"7"}', "null"]) {
    writeFileSync(path, text);
    expect(await new SourceMapPassMarker(path).read()).toBeNull();
  }
});
