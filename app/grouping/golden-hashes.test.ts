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
} from "../../tests/support/grouping-fixtures.ts";
import { groupEventV1 } from "./v1/group-event-v1.ts";
import { groupEventV2 } from "./v2/group-event-v2.ts";

test.each([
  ["golden-hashes.json", groupEventV1],
  ["golden-hashes-v2.json", groupEventV2],
])("%s: every fixture has the keys that it always had", (file, group) => {
  const golden = JSON.parse(readFileSync(join(import.meta.dirname, "../../tests/fixtures/grouping", file), "utf8"));
  expect(hashesOfFixtures(group)).toEqual(golden);
});

function hashesOfFixtures(group: typeof groupEventV1): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const name of platformCases()) hashes[`platforms/${name}`] = group(readPlatformEvent(name)).hashes.join(" ");
  for (const name of browserCases()) {
    for (const browser of BROWSERS)
      hashes[`browsers/${browser}/${name}`] = group(asEvent(readRecorded(browser, name))).hashes.join(" ");
  }
  return hashes;
}
