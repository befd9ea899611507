import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  asEvent,
  BROWSERS,
  browserCases,
  platformCases,
  readPlatformEvent,
  readRecorded,
} from "../../../tests/support/grouping-fixtures.ts";
import { groupEventV1 } from "./v1/group-event-v1.ts";

test("version 1 gives every fixture the keys that it always gave", () => {
  const golden = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../tests/fixtures/grouping/golden-hashes.json"), "utf8"),
  );
  expect(hashesOfFixtures()).toEqual(golden);
});

function hashesOfFixtures(): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const name of platformCases())
    hashes[`platforms/${name}`] = groupEventV1(readPlatformEvent(name)).hashes.join(" ");
  for (const name of browserCases()) {
    for (const browser of BROWSERS)
      hashes[`browsers/${browser}/${name}`] = groupEventV1(asEvent(readRecorded(browser, name))).hashes.join(" ");
  }
  return hashes;
}
