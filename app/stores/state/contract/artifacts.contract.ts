import { expect, test } from "vitest";
import type { ArtifactBundle, ArtifactFile } from "../../../domain/artifact.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const DEBUG_ID = "0123456789abcdef0123456789abcdef";

function bundle(checksum: string, change: Partial<ArtifactBundle> = {}): Omit<ArtifactBundle, "id" | "fileCount"> {
  return {
    checksum,
    container: "zip",
    debugId: null,
    note: null,
    bytes: 1_000,
    uploadedAt: NOON,
    uploadedBy: "ci",
    projectIds: [1],
    releases: [],
    ...change,
  };
}

function file(path: string, change: Partial<ArtifactFile> = {}): Omit<ArtifactFile, "bundleId"> {
  return { path, type: "source_map", url: null, debugId: null, sourceMapUrl: null, bytes: 10, ...change };
}

export function describeArtifacts(createDatabase: CreateStateDatabase): void {
  test("an upload gives what it was saved with", async () => {
    await using store = await openStore(createDatabase);
    const saved = await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("a", {
        debugId: DEBUG_ID,
        note: "n",
        uploadedBy: null,
        projectIds: [2, 1],
        releases: [
          { version: "web@2", dist: null },
          { version: "web@1", dist: "x" },
        ],
      }),
      [file("b.map"), file("a.js", { type: "minified_source", url: "~/a.js", sourceMapUrl: "a.js.map" })],
    );
    expect(saved).toEqual({
      ...bundle("a"),
      id: expect.any(Number),
      debugId: DEBUG_ID,
      note: "n",
      uploadedBy: null,
      fileCount: 2,
      projectIds: [1, 2],
      releases: [
        { version: "web@1", dist: "x" },
        { version: "web@2", dist: null },
      ],
    });
    expect(await store.artifacts.getArtifactBundle(EVERYTHING, saved.id)).toEqual(saved);
    expect(await store.artifacts.findArtifactBundle(EVERYTHING, "a")).toEqual(saved);
    expect(await store.artifacts.findArtifactBundle(EVERYTHING, "b")).toBeNull();
    expect(await store.artifacts.listArtifactFiles(EVERYTHING, saved.id)).toEqual([
      {
        ...file("a.js", { type: "minified_source", url: "~/a.js", sourceMapUrl: "a.js.map" }),
        bundleId: saved.id,
      },
      { ...file("b.map"), bundleId: saved.id },
    ]);
  });

  test("an upload that is known keeps its files, and gains projects and their releases", async () => {
    await using store = await openStore(createDatabase);
    const release = { version: "web@1", dist: null };
    const first = await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { releases: [release] }), [
      file("a.map"),
    ]);
    const again = await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("a", { projectIds: [1, 2], releases: [release, { version: "web@2", dist: "" }], uploadedAt: NOON + 1 }),
      [file("other.map"), file("more.map")],
    );
    expect(again).toEqual({
      ...first,
      projectIds: [1, 2],
      releases: [release, { version: "web@2", dist: null }],
    });
    expect((await store.artifacts.listArtifactFiles(EVERYTHING, first.id)).map(({ path }) => path)).toEqual(["a.map"]);
  });

  test("a release that one project gives to an upload counts for no other", async () => {
    await using store = await openStore(createDatabase);
    const script = file("a.js", { type: "minified_source", url: "~/a.js" });
    const [mine, theirs] = [
      { version: "mine", dist: null },
      { version: "theirs", dist: "x" },
    ];
    const { id } = await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { releases: [mine] }), [script]);
    await store.artifacts.saveArtifactBundle(scopeOf(2), bundle("a", { projectIds: [2], releases: [theirs] }), []);
    const find = async (projectId: number, { version: release, dist }: { version: string; dist: string | null }) => {
      const where = { projectId, release, dist };
      const { bundles } = await store.artifacts.listArtifactBundles(scopeOf(projectId), {
        release,
        cursor: null,
        limit: 9,
      });
      return [
        (await store.artifacts.findFilesByUrl(EVERYTHING, where, ["~/a.js"])).length,
        (await store.artifacts.countReleaseScripts(EVERYTHING, where)).count,
        (await store.artifactIndex.listReleaseUrls(where, 10)).length,
        bundles.length,
      ];
    };
    expect([await find(1, mine), await find(2, theirs)]).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]);
    expect([await find(1, theirs), await find(2, mine)]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    expect((await store.artifacts.getArtifactBundle(scopeOf(1), id))?.releases).toEqual([mine]);
    expect((await store.artifacts.getArtifactBundle(EVERYTHING, id))?.releases).toEqual([mine, theirs]);
    // The index tells that a project has gained a release that another one had.
    const listReleases = async () =>
      (await store.artifactIndex.listArtifactBundles({ cursor: null, limit: 1 })).bundles[0]?.releases;
    expect(await listReleases()).toEqual([mine, theirs]);
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { projectIds: [2], releases: [mine] }), []);
    expect(await listReleases()).toEqual([mine, mine, theirs]);
    await store.artifacts.deleteArtifactBundle(scopeOf(2), id);
    expect([await find(1, mine), await find(2, theirs)]).toEqual([
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ]);
  });

  test("files are found by debug id within the project, the newest upload first", async () => {
    await using store = await openStore(createDatabase);
    const map = file("a.map", { debugId: DEBUG_ID });
    const minified = file("a.js", { debugId: DEBUG_ID, type: "minified_source" });
    const newer = await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("new", { uploadedAt: NOON + 1, container: "file" }),
      [map],
    );
    const older = await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("old", { releases: [{ version: "1", dist: null }] }),
      [map, minified],
    );
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("other", { projectIds: [2], uploadedAt: NOON + 2 }), [
      map,
    ]);
    const found = await store.artifacts.findFilesByDebugId(EVERYTHING, 1, [DEBUG_ID, DEBUG_ID, "f".repeat(32)]);
    expect(found).toEqual([
      {
        ...map,
        bundleId: newer.id,
        checksum: "new",
        container: "file",
        uploadedAt: NOON + 1,
        release: null,
        dist: null,
      },
      { ...map, bundleId: older.id, checksum: "old", container: "zip", uploadedAt: NOON, release: null, dist: null },
      {
        ...minified,
        bundleId: older.id,
        checksum: "old",
        container: "zip",
        uploadedAt: NOON,
        release: null,
        dist: null,
      },
    ]);
    expect(await store.artifacts.findFilesByDebugId(EVERYTHING, 3, [DEBUG_ID])).toEqual([]);
    expect(await store.artifacts.findFilesByDebugId(EVERYTHING, 1, [])).toEqual([]);
  });

  test("of one debug id, the ten newest uploads are given for each type", async () => {
    await using store = await openStore(createDatabase);
    for (let upload = 0; upload < 12; upload++) {
      await store.artifacts.saveArtifactBundle(EVERYTHING, bundle(`u${upload}`, { uploadedAt: NOON + upload }), [
        file("a.map", { debugId: DEBUG_ID }),
        ...(upload === 0 ? [file("a.js", { debugId: DEBUG_ID, type: "minified_source" })] : []),
      ]);
    }
    const found = await store.artifacts.findFilesByDebugId(EVERYTHING, 1, [DEBUG_ID]);
    expect(found.map(({ checksum }) => checksum)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `u${11 - index}`),
      "u0",
    ]);
  });

  test("files are found by URL only with exactly the release and dist", async () => {
    await using store = await openStore(createDatabase);
    const minified = file("a.js", { type: "minified_source", url: "~/a.js" });
    await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("without", { releases: [{ version: "1", dist: null }] }),
      [minified],
    );
    await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("with", { releases: [{ version: "1", dist: "x" }], uploadedAt: NOON + 1 }),
      [minified],
    );
    await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("next", { releases: [{ version: "1", dist: null }], uploadedAt: NOON + 2 }),
      [minified, file("b.js", { url: "~/b.js" })],
    );
    await store.artifacts.saveArtifactBundle(
      EVERYTHING,
      bundle("foreign", { releases: [{ version: "1", dist: null }], projectIds: [2] }),
      [minified],
    );
    const find = async (release: string, dist: string | null, urls: string[], projectId = 1) =>
      (await store.artifacts.findFilesByUrl(EVERYTHING, { projectId, release, dist }, urls)).map(
        (found) => `${found.checksum} ${found.url} ${found.release} ${found.dist}`,
      );
    expect(await find("1", null, ["~/a.js", "https://example.com/a.js"])).toEqual([
      "next ~/a.js 1 null",
      "without ~/a.js 1 null",
    ]);
    expect(await find("1", "x", ["~/a.js", "~/b.js"])).toEqual(["with ~/a.js 1 x"]);
    expect(await find("1", null, ["~/b.js"])).toEqual(["next ~/b.js 1 null"]);
    expect(await find("1", "y", ["~/a.js"])).toEqual([]);
    expect(await find("2", null, ["~/a.js"])).toEqual([]);
    expect(await find("1", null, ["~/a.js"], 2)).toEqual(["foreign ~/a.js 1 null"]);
    expect(await store.artifactIndex.listReleaseUrls({ projectId: 1, release: "1" }, 10)).toEqual([
      { url: "~/a.js", dist: null },
      { url: "~/a.js", dist: "x" },
      { url: "~/b.js", dist: null },
    ]);
    expect(await store.artifactIndex.listReleaseUrls({ projectId: 1, release: "1" }, 1)).toHaveLength(1);
    expect(await store.artifactIndex.listReleaseUrls({ projectId: 3, release: "1" }, 10)).toEqual([]);
  });

  test("scripts of a release are counted, with those that have a map there", async () => {
    await using store = await openStore(createDatabase);
    const script = (path: string, change: Partial<ArtifactFile> = {}) =>
      file(path, { type: "minified_source", url: `~/assets/${path}`, ...change });
    const map = (path: string, change: Partial<ArtifactFile> = {}) =>
      file(path, { url: `~/assets/${path}`, ...change });
    const releases = [{ version: "1", dist: null }];
    const count = (projectId = 1, release = "1") =>
      store.artifacts.countReleaseScripts(EVERYTHING, { projectId, release });
    expect(await count()).toEqual({ count: 0, mappedCount: 0 });
    const files = [
      script("id.js", { debugId: DEBUG_ID }),
      map("elsewhere.map", { debugId: DEBUG_ID }),
      script("named.js", { sourceMapUrl: "./other.map" }),
      map("other.map"),
      script("plain.js"),
      map("plain.js.map"),
      script("inline.js", { sourceMapUrl: "data:application/json;base64,e30=" }),
      script("bare.js"),
      script("lost.js", { sourceMapUrl: "lost.js.map" }),
      map("alone.js.map"),
      file("a.ts", { type: "source", url: "~/a.ts" }),
    ];
    // All but lost.js; bare.js names no map, and came with those of others.
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { releases }), files);
    expect(await count()).toEqual({ count: 6, mappedCount: 5 });
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("again", { releases }), files.slice(0, 3));
    expect(await count()).toEqual({ count: 6, mappedCount: 5 });
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("later", { releases }), [map("lost.js.map")]);
    expect(await count()).toEqual({ count: 6, mappedCount: 6 });
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("scripts", { releases }), [
      script("bare.js"),
      script("new.js"),
    ]);
    expect(await count()).toEqual({ count: 8, mappedCount: 6 });
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("dist", { releases: [{ version: "1", dist: "x" }] }), [
      map("new.js.map"),
    ]);
    expect(await count()).toEqual({ count: 9, mappedCount: 7 });
    await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("foreign", { releases, projectIds: [2] }), [
      map("new.js.map"),
    ]);
    expect(await count()).toEqual({ count: 9, mappedCount: 7 });
    expect(await count(2)).toEqual({ count: 1, mappedCount: 1 });
    expect(await count(1, "2")).toEqual({ count: 0, mappedCount: 0 });
  });

  test("the version grows with every upload and deletion of anybody, and with nothing else", async () => {
    await using database = await createDatabase();
    const [store, other] = [await database.connect(), await database.connect()];
    const versions = [await store.artifactIndex.artifactVersion()];
    const saved = await other.artifacts.saveArtifactBundle(EVERYTHING, bundle("a"), [file("a.map")]);
    versions.push(await store.artifactIndex.artifactVersion());
    await other.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { projectIds: [2] }), []);
    versions.push(await store.artifactIndex.artifactVersion());
    expect(await other.artifacts.deleteArtifactBundle(EVERYTHING, saved.id)).toEqual({ freedChecksum: "a" });
    versions.push(await store.artifactIndex.artifactVersion());
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(await other.artifacts.deleteArtifactBundle(EVERYTHING, saved.id)).toBeNull();
    expect(await store.artifactIndex.artifactVersion()).toBe(versions.at(-1));
  });

  test("a deleted upload leaves nothing to be found, and may be sent again", async () => {
    await using store = await openStore(createDatabase);
    const files = [file("a.map", { debugId: DEBUG_ID, url: "~/a.map" })];
    const releases = [{ version: "1", dist: null }];
    const saved = await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { releases }), files);
    await store.artifacts.deleteArtifactBundle(EVERYTHING, saved.id);
    expect(await store.artifacts.getArtifactBundle(EVERYTHING, saved.id)).toBeNull();
    expect(await store.artifacts.findFilesByDebugId(EVERYTHING, 1, [DEBUG_ID])).toEqual([]);
    expect(
      await store.artifacts.findFilesByUrl(EVERYTHING, { projectId: 1, release: "1", dist: null }, ["~/a.map"]),
    ).toEqual([]);
    expect(await store.artifacts.listArtifactFiles(EVERYTHING, saved.id)).toEqual([]);
    const again = await store.artifacts.saveArtifactBundle(EVERYTHING, bundle("a", { releases }), files);
    expect(again.id).not.toBe(saved.id);
    expect(await store.artifacts.findFilesByDebugId(EVERYTHING, 1, [DEBUG_ID])).toHaveLength(1);
  });

  test("uploads are listed newest first, page by page, of a project or a release or all", async () => {
    await using store = await openStore(createDatabase);
    for (let upload = 0; upload < 7; upload++) {
      await store.artifacts.saveArtifactBundle(
        EVERYTHING,
        bundle(`u${upload}`, {
          // Two at a time, as parallel builds upload.
          uploadedAt: NOON + Math.floor(upload / 2) * MINUTE_MS,
          projectIds: [upload % 2],
          releases: upload > 4 ? [{ version: "web@1", dist: String(upload) }] : [],
        }),
        [],
      );
    }
    const list = async (query: { release?: string }, limit: number, scope = EVERYTHING) => {
      const pages: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof store.artifacts.listArtifactBundles>> =
          await store.artifacts.listArtifactBundles(scope, {
            ...query,
            cursor,
            limit,
          });
        pages.push(page.bundles.map(({ checksum }) => checksum).join(" "));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return pages;
    };
    expect(await list({}, 3)).toEqual(["u6 u5 u4", "u3 u2 u1", "u0"]);
    expect(await list({}, 10, scopeOf(1))).toEqual(["u5 u3 u1"]);
    expect(await list({ release: "web@1" }, 10)).toEqual(["u6 u5"]);
    expect(await list({ release: "web@1" }, 10, scopeOf(0))).toEqual(["u6"]);
    expect(
      (await store.artifacts.listArtifactBundles(EVERYTHING, { cursor: "nonsense", limit: 1 })).bundles[0]?.checksum,
    ).toBe("u6");
  });
}
