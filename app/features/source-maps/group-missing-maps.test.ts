import { expect, test } from "vitest";
import type { MissingSourceMap } from "../../stores/state/artifact-store.ts";
import {
  describeMissingMap,
  groupMissingMaps,
  listMissingMapFixes,
  type MissingMapGroup,
} from "./group-missing-maps.ts";

const CONTEXT = { serverUrl: "https://errors.example", org: "acme", project: "web" };
const ID = "9b7990f81f25571aa42203bea91eb8ab";

function row(more: Partial<MissingSourceMap>): MissingSourceMap {
  return {
    projectId: 1,
    issueId: 1,
    debugId: null,
    release: "shop@1.0",
    dist: null,
    eventCount: 1,
    firstSeenAt: 50,
    lastSeenAt: 60,
    sampleUrl: "https://shop.example/assets/app.js?v=1",
    isForeign: false,
    type: "source_map",
    ...more,
  };
}

test("rows of issues and releases that wait for one debug id are one, by release and dist each its own", () => {
  expect(
    groupMissingMaps([
      row({ debugId: ID, eventCount: 2 }),
      row({ debugId: ID, issueId: 2, release: "shop@1.1", firstSeenAt: 10, lastSeenAt: 90 }),
      row({ eventCount: 9 }),
      row({ dist: "2" }),
    ]),
  ).toMatchObject([
    { debugId: null, releases: [{ version: "shop@1.0", dist: null }], eventCount: 9 },
    {
      debugId: ID,
      releases: [
        { version: "shop@1.0", dist: null },
        { version: "shop@1.1", dist: null },
      ],
      issueIds: [1, 2],
      eventCount: 3,
      firstSeenAt: 10,
      lastSeenAt: 90,
    },
    { debugId: null, releases: [{ version: "shop@1.0", dist: "2" }] },
  ]);
});

const WAITING = { isUploaded: false, problem: null };

test("what is missing is named, and the command has its release, dist and prefix", () => {
  const [byId, byRelease] = groupMissingMaps([row({ debugId: ID, eventCount: 2 }), row({ dist: "2" })]) as [
    MissingMapGroup,
    MissingMapGroup,
  ];
  expect(describeMissingMap(byId, WAITING)).toBe(
    "Nothing that was uploaded answers for debug id 9b7990f8-1f25-571a-a422-03bea91eb8ab.",
  );
  expect(describeMissingMap(byId, { isUploaded: true, problem: null })).toContain(
    "Was uploaded: these events are mapped",
  );
  expect(listMissingMapFixes(byId, { isUploaded: true, problem: null }, CONTEXT)).toEqual([]);
  const broken = { isUploaded: true, problem: "The source map cannot be used: it is empty." };
  expect(describeMissingMap(byId, broken)).toBe("Was uploaded. The source map cannot be used: it is empty.");
  expect(listMissingMapFixes(byId, broken, CONTEXT)[0]?.text).toContain("Build again");
  expect(describeMissingMap(byRelease, WAITING)).toBe(
    "Nothing that was uploaded answers for a source map of release shop@1.0, dist 2.",
  );
  expect(listMissingMapFixes(byId, WAITING, CONTEXT).map(({ command }) => command)).toEqual([
    "sentry-cli --url https://errors.example sourcemaps upload --org acme --project web ./dist",
  ]);
  expect(listMissingMapFixes(byRelease, WAITING, CONTEXT).at(-1)?.command).toBe(
    "sentry-cli --url https://errors.example sourcemaps upload --org acme --project web --release shop@1.0 --dist 2 --url-prefix '~/assets/' ./dist",
  );
});
