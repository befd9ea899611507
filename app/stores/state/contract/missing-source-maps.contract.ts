import { expect, test } from "vitest";
import type { Scope } from "../../../domain/scope.ts";
import type { WantedMap } from "../../../domain/symbolication.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { MAX_MISSING_OF_PROJECT } from "../artifact-store.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, NOON, occurrence, openStore, scopeOf } from "./fixture.ts";

const A = "a".repeat(32);
const B = "b".repeat(32);

function wanted(change: Partial<WantedMap>): WantedMap {
  return {
    debugId: null,
    release: null,
    dist: null,
    sampleUrl: "https://example.com/a.js",
    isForeign: false,
    type: "source_map",
    ...change,
  };
}

async function keysOf(
  store: State,
  { scope = scopeOf(1), ...query }: Parameters<State["artifacts"]["listMissingSourceMaps"]>[1] & { scope?: Scope } = {},
) {
  const listed = await store.artifacts.listMissingSourceMaps(scope, query);
  return listed.map(({ issueId, debugId, release, dist, eventCount }) => [issueId, debugId, release, dist, eventCount]);
}

export function describeMissingSourceMaps(createDatabase: CreateStateDatabase): void {
  test("what events want is added up by issue and key", async () => {
    await using store = await openStore(createDatabase);
    const byDebugId = wanted({ debugId: A });
    const byRelease = wanted({ release: "1", dist: "x", sampleUrl: "https://example.com/b.js" });
    const mapping = wanted({ type: "proguard_mapping", debugId: B, sampleUrl: "a.a" });
    const made = await apply(store, [
      occurrence(0, "a", { at: NOON + 5, missingSourceMaps: [byDebugId, byDebugId, byRelease] }),
      occurrence(1, "a", { at: NOON - 5, missingSourceMaps: [byDebugId] }),
      occurrence(2, "b", { missingSourceMaps: [byDebugId] }),
      occurrence(3, "c", { projectId: 2, missingSourceMaps: [byDebugId] }),
      occurrence(4, "d", { projectId: 3, missingSourceMaps: [mapping] }),
    ]);
    await apply(store, [occurrence(5, "a", { at: NOON + 7, missingSourceMaps: [byDebugId] })]);
    const [a = 0, , b = 0] = made.map(({ issueId }) => issueId);
    expect(await store.artifacts.listMissingSourceMaps(scopeOf(1), {})).toEqual([
      {
        projectId: 1,
        issueId: a,
        ...byDebugId,
        eventCount: 3,
        firstSeenAt: NOON - 5,
        lastSeenAt: NOON + 7,
      },
      { projectId: 1, issueId: a, ...byRelease, eventCount: 1, firstSeenAt: NOON + 5, lastSeenAt: NOON + 5 },
      { projectId: 1, issueId: b, ...byDebugId, eventCount: 1, firstSeenAt: NOON, lastSeenAt: NOON },
    ]);
    expect(await store.artifacts.listMissingSourceMaps(scopeOf(3), {})).toMatchObject([mapping]);
    expect(await keysOf(store, { release: "1" })).toEqual([[a, null, "1", "x", 1]]);
    expect(await keysOf(store, { issueId: b })).toEqual([[b, A, null, null, 1]]);
    expect(await keysOf(store, { scope: scopeOf(1, 2) })).toHaveLength(4);
    expect(await keysOf(store, { scope: scopeOf() })).toEqual([]);
  });

  test("an upload finds the issues that it may help", async () => {
    await using store = await openStore(createDatabase);
    const made = await apply(store, [
      occurrence(0, "a", { missingSourceMaps: [wanted({ debugId: A }), wanted({ debugId: B })] }),
      occurrence(1, "b", { missingSourceMaps: [wanted({ release: "1" })] }),
      occurrence(2, "c", { missingSourceMaps: [wanted({ release: "1", dist: "x" })] }),
      occurrence(3, "d", { missingSourceMaps: [wanted({})] }),
      occurrence(4, "e", { projectId: 2, missingSourceMaps: [wanted({ debugId: A })] }),
    ]);
    const [a = 0, b = 0, c = 0] = made.map(({ issueId }) => issueId);
    const find = (debugIds: string[], releases: Array<{ version: string; dist: string | null }>) =>
      store.artifactIndex.findIssuesMissingSourceMaps({ projectIds: [1], debugIds, releases });
    const key = { projectId: 1, debugId: null, release: null, dist: null, eventCount: 1 };
    expect(await find([A, "f".repeat(32)], [])).toEqual([{ issueId: a, keys: [{ ...key, issueId: a, debugId: A }] }]);
    expect(await find([A, B], [{ version: "1", dist: null }])).toEqual([
      {
        issueId: a,
        keys: [
          { ...key, issueId: a, debugId: A },
          { ...key, issueId: a, debugId: B },
        ],
      },
      { issueId: b, keys: [{ ...key, issueId: b, release: "1" }] },
    ]);
    expect(await find([], [{ version: "1", dist: "x" }])).toEqual([
      { issueId: c, keys: [{ ...key, issueId: c, release: "1", dist: "x" }] },
    ]);
    expect(await find([""], [{ version: "", dist: null }])).toEqual([]);
    expect(await find([], [])).toEqual([]);
  });

  test("what is mapped is forgotten, and nothing else", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "a", { missingSourceMaps: [wanted({ debugId: A }), wanted({ release: "1" })] }),
      occurrence(1, "b", { missingSourceMaps: [wanted({ debugId: A })] }),
    ]);
    const [found] = await store.artifactIndex.findIssuesMissingSourceMaps({
      projectIds: [1],
      debugIds: [A],
      releases: [],
    });
    await apply(store, [occurrence(2, "a", { missingSourceMaps: [wanted({ debugId: A })] })]);
    // One more wants it than were found: it may have been digested before the upload.
    expect(await store.artifactIndex.forgetMissingSourceMaps(found?.keys ?? [])).toBe(0);
    expect(
      await store.artifactIndex.forgetMissingSourceMaps((found?.keys ?? []).map((key) => ({ ...key, eventCount: 2 }))),
    ).toBe(1);
    expect(await store.artifactIndex.forgetMissingSourceMaps(found?.keys ?? [])).toBe(0);
    expect(await keysOf(store)).toHaveLength(2);
    expect(await keysOf(store, { issueId: found?.issueId ?? 0 })).toEqual([[found?.issueId, null, "1", null, 1]]);
  });

  test("what only foreign frames want can be told apart, and is nobody's own once", async () => {
    await using store = await openStore(createDatabase);
    const foreign = wanted({ release: "1", isForeign: true, sampleUrl: "https://cdn.example/x.js" });
    const own = wanted({ release: "1" });
    const made = await apply(store, [
      occurrence(0, "a", { missingSourceMaps: [foreign] }),
      occurrence(1, "b", { missingSourceMaps: [foreign] }),
      occurrence(2, "b", { missingSourceMaps: [own] }),
      occurrence(3, "c", { missingSourceMaps: [own] }),
    ]);
    const [a = 0, b = 0, , c = 0] = made.map(({ issueId }) => issueId);
    const listed = async (query: { isForeign?: boolean }) =>
      (await store.artifacts.listMissingSourceMaps(scopeOf(1), { ...query })).map(({ issueId }) => issueId).sort();
    expect(await listed({ isForeign: true })).toEqual([a]);
    expect(await listed({ isForeign: false })).toEqual([b, c]);
    await apply(store, [occurrence(4, "a", { missingSourceMaps: [own] })]);
    await apply(store, [occurrence(5, "c", { missingSourceMaps: [foreign] })]);
    expect(await listed({})).toEqual([a, b, c]);
    expect(await listed({ isForeign: false })).toEqual([a, b, c]);
    const samples = (await store.artifacts.listMissingSourceMaps(scopeOf(1), {})).map(({ sampleUrl }) => sampleUrl);
    expect(new Set(samples)).toEqual(new Set([own.sampleUrl]));
    const [key] = await store.artifacts.listMissingSourceMaps(scopeOf(1), { issueId: b });
    if (key === undefined) throw new Error("nothing is wanted");
    expect(await store.artifactIndex.markMissingForeign([{ ...key, eventCount: 1 }])).toBe(0);
    expect(await store.artifactIndex.markMissingForeign([key])).toBe(1);
    expect(await listed({ isForeign: true })).toEqual([b]);
    const uploaded = { projectIds: [1], debugIds: [], releases: [{ version: "1", dist: null }] };
    expect((await store.artifactIndex.findIssuesMissingSourceMaps(uploaded)).map(({ issueId }) => issueId)).toEqual([
      a,
      b,
      c,
    ]);
  });

  test("of one event twenty are kept", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "a", {
        missingSourceMaps: Array.from({ length: 30 }, (_, index) =>
          wanted({ debugId: String(index).padStart(32, "0") }),
        ),
      }),
    ]);
    expect(await keysOf(store)).toHaveLength(20);
  });

  test("of one project only so many are kept, those seen last", async () => {
    await using store = await openStore(createDatabase);
    const perEvent = 20;
    const events = MAX_MISSING_OF_PROJECT / perEvent + 1;
    await apply(store, [occurrence(0, "other", { projectId: 2, at: NOON - 1, missingSourceMaps: [wanted({})] })]);
    await apply(
      store,
      Array.from({ length: events }, (_, event) =>
        occurrence(event + 1, "a", {
          at: NOON + event,
          missingSourceMaps: Array.from({ length: perEvent }, (_, index) => wanted({ release: `${event}.${index}` })),
        }),
      ),
    );
    const isKept = async (release: string) => (await keysOf(store, { release })).length === 1;
    expect(await isKept("0.0")).toBe(false);
    expect(await isKept("1.0")).toBe(false);
    expect(await isKept(`${events - 1}.19`)).toBe(true);
    expect(await isKept(`${Math.ceil(events / 2)}.0`)).toBe(true);
    expect(await keysOf(store, { scope: scopeOf(2) })).toHaveLength(1);
  });

  test("what only events wanted that are gone is dropped with them", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "a", { at: NOON - DAY_MS, missingSourceMaps: [wanted({ debugId: A })] }),
      occurrence(1, "a", { at: NOON, missingSourceMaps: [wanted({ debugId: B })] }),
    ]);
    await store.dropBefore(NOON);
    expect((await keysOf(store)).map(([, debugId]) => debugId)).toEqual([B]);
  });
}
