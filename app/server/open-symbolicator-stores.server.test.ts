import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openBlobFiles } from "../stores/files/open-blob-files.ts";
import { openTestState } from "../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import { makeBundle } from "../symbolicate/fixtures/map-stacks.ts";
import { readerOf } from "../symbolicate/fixtures/memory-stores.ts";
import { openSymbolicator } from "../symbolicate/open-symbolicator.ts";
import { readArtifactBundle } from "../symbolicate/read-artifact-bundle.ts";
import { SYMBOLICATOR_STORES_MODULE } from "./open-symbolicator-stores.ts";

const BUNDLES = join(import.meta.dirname, "../../tests/fixtures/bundles");
const dir = mkdtempSync(join(tmpdir(), "culprit-symbolicator-"));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("an upload through another thread's stores is found at once, and gone once it is deleted", async () => {
  const statePath = join(dir, "state.sqlite");
  const blobDir = join(dir, "blobs");
  const state = await openTestState({ path: statePath });
  const blobs = await openBlobFiles({ dir: blobDir });
  const log = { warn: () => {}, error: () => {} };
  const symbolicator = openSymbolicator({
    storesModule: SYMBOLICATOR_STORES_MODULE,
    storesOptions: { statePath, blobDir },
    log,
    limitMs: 20_000,
  });
  try {
    const { method: frames } = JSON.parse(readFileSync(join(BUNDLES, "esbuild.stacks.json"), "utf8"));
    const event = { platform: "javascript", release: "1.0", exception: { values: [{ stacktrace: { frames } }] } };
    const map = () => symbolicator.symbolicate(event, { projectId: 1, withDiagnosis: true });
    const before = await map();
    expect(before).toMatchObject({ isChanged: false, report: { failure: null }, wanted: [{ release: "1.0" }] });

    const bytes = makeBundle(
      ["esbuild.js", "esbuild.js.map"].map((name) => ({
        url: `~/assets/${name}`,
        type: name.endsWith(".map") ? "source_map" : "minified_source",
        content: readFileSync(join(BUNDLES, name)),
      })),
    );
    const { manifest } = await readArtifactBundle(readerOf(bytes));
    const checksum = "0123456789abcdef0123456789abcdef01234567";
    writeFileSync(join(dir, "upload"), bytes);
    await blobs.putFile(checksum, join(dir, "upload"));
    const { id } = await state.artifacts.saveArtifactBundle(
      EVERYTHING,
      {
        checksum,
        container: "zip",
        debugId: null,
        note: null,
        bytes: bytes.length,
        uploadedAt: 1,
        uploadedBy: null,
        projectIds: [1],
        releases: [{ version: "1.0", dist: null }],
      },
      manifest.files,
    );
    const mapped = await map();
    expect(mapped.event.exception.values[0]?.stacktrace.frames.at(-2)).toMatchObject({ function: "Basket.fillFrom" });

    await state.artifacts.deleteArtifactBundle(EVERYTHING, id);
    expect((await map()).isChanged).toBe(false);
  } finally {
    await symbolicator.close();
    await state.close();
  }
});
