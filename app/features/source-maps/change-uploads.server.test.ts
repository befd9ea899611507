import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { BundleManifest } from "../../domain/artifact.ts";
import type { Project } from "../../domain/project.ts";
import { openBlobFiles } from "../../stores/files/open-blob-files.ts";
import { openChunkFiles } from "../../stores/files/open-chunk-files.ts";
import { openSqliteState } from "../../stores/sqlite/open-sqlite-state.ts";
import { createProject, EVERYTHING, NOON } from "../../stores/state/contract/fixture.ts";
import { assembleArtifactBundle } from "../../web-api/uploads/assemble-artifact-bundle.server.ts";
import { deleteArtifactBundle } from "./change-uploads.server.ts";

const MANIFEST: BundleManifest = {
  debugId: null,
  org: null,
  project: null,
  release: null,
  dist: null,
  note: null,
  files: [],
  ignored: [],
};

test("an upload that comes while the same one is deleted keeps its blob", async () => {
  const dir = await mkdtemp(join(tmpdir(), "culprit-uploads-"));
  const state = await openSqliteState({ path: ":memory:" });
  await using _closed = {
    [Symbol.asyncDispose]: async () => {
      await state.close();
      await rm(dir, { recursive: true });
    },
  };
  const blobs = await openBlobFiles({ dir: join(dir, "blobs") });
  const chunks = await openChunkFiles({ dir: join(dir, "chunks") });
  const deleting = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const workspace = testWorkspace({
    state,
    chunks,
    blobs: {
      putFile: (key, path) => blobs.putFile(key, path),
      open: (key) => blobs.open(key),
      bytesOnDisk: () => blobs.bytesOnDisk(),
      delete: async (key) => {
        deleting.resolve();
        await go.promise;
        await blobs.delete(key);
      },
    },
    readBundle: async () => ({ ok: true, manifest: MANIFEST }),
  });
  const enterAgain = async () => ({ workspace });
  const content = Buffer.from("a bundle");
  const checksum = createHash("sha1").update(content).digest("hex");
  await chunks.put(checksum, content);
  const projects = [{ id: await createProject(state, "web"), slug: "web" } as Project];
  const upload = { checksum, chunks: [checksum], projects, version: "1", dist: null, uploadedBy: null, at: NOON };
  expect(await assembleArtifactBundle({ enterAgain }, upload)).toMatchObject({ state: "ok" });
  const bundle = await state.artifacts.findArtifactBundle(EVERYTHING, checksum);
  const deletion = deleteArtifactBundle(workspace, EVERYTHING, bundle?.id ?? 0);
  await deleting.promise;
  const again = assembleArtifactBundle({ enterAgain }, upload);
  await Promise.race([again, sleep(100)]);
  go.resolve();
  expect([await deletion, (await again).state]).toEqual([true, "ok"]);
  expect(await state.artifacts.findArtifactBundle(EVERYTHING, checksum)).not.toBeNull();
  const blob = await blobs.open(checksum);
  expect(blob?.bytes).toBe(content.length);
  await blob?.close();
});
