import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import { openBlobFiles } from "../../stores/files/open-blob-files.ts";
import { openChunkFiles } from "../../stores/files/open-chunk-files.ts";
import { openSqliteState } from "../../stores/sqlite/open-sqlite-state.ts";
import { createProject, EVERYTHING, NOON, scopeOf } from "../../stores/state/contract/fixture.ts";
import { addReleaseFile } from "./add-release-file.server.ts";
import { listReleaseFiles, serializeReleaseFile } from "./release-files.server.ts";

test("files of a release in a project are those of the project alone", async () => {
  const state = await openSqliteState({ path: ":memory:" });
  await using _closed = { [Symbol.asyncDispose]: () => state.close() };
  const release = { version: "1.0" } as Release;
  const projects: Project[] = [];
  for (const [index, slug] of ["web", "api"].entries()) {
    const id = await createProject(state, slug);
    projects.push({ id, slug } as Project);
    const checksum = String(index).repeat(40);
    await state.artifacts.saveArtifactBundle(
      EVERYTHING,
      {
        checksum,
        container: "file",
        debugId: null,
        note: null,
        bytes: 3,
        uploadedAt: NOON,
        uploadedBy: null,
        projectIds: [id],
        releases: [{ version: "1.0", dist: null }],
      },
      [{ path: "", type: "minified_source", url: `~/${slug}.js`, debugId: null, sourceMapUrl: null, bytes: 3 }],
    );
  }
  const workspace = testWorkspace({ state });
  const namesOf = async (project: Project | null) =>
    (await listReleaseFiles(workspace, { release, project }, { parts: [], cursor: null })).files.map(
      ({ name }) => name,
    );
  expect((await namesOf(null)).toSorted()).toEqual(["~/api.js", "~/web.js"]);
  expect(await namesOf(projects[0] ?? null)).toEqual(["~/web.js"]);
});

test("a file keeps its name and headers when another project has the same content under another name", async () => {
  const dir = await mkdtemp(join(tmpdir(), "culprit-release-files-"));
  const state = await openSqliteState({ path: ":memory:" });
  await using _closed = {
    [Symbol.asyncDispose]: async () => {
      await state.close();
      await rm(dir, { recursive: true });
    },
  };
  const blobs = await openBlobFiles({ dir: join(dir, "blobs") });
  const chunks = await openChunkFiles({ dir: join(dir, "chunks") });
  const release = { version: "1.0" } as Release;
  const content = "f();";
  for (const name of ["theirs", "mine"]) {
    const id = await createProject(state, name);
    const project = { id, slug: name } as Project;
    const workspace = testWorkspace({ state, blobs, chunks, scope: scopeOf(id) });
    const body = new FormData();
    body.append("name", `~/${name}.js`);
    body.append("header", `sourcemap:${name}.js.map`);
    body.append("file", new Blob([content]), "file.js");
    const request = new Request("http://x/", { method: "POST", body });
    const saved = await addReleaseFile({
      ...{ release, project, request, uploadedBy: null, at: NOON },
      enterAgain: async () => ({ workspace }),
    });
    expect(serializeReleaseFile(saved)).toMatchObject({
      name: `~/${name}.js`,
      headers: { Sourcemap: `${name}.js.map` },
      sha1: createHash("sha1").update(content).digest("hex"),
    });
    const { files } = await listReleaseFiles(workspace, { release, project }, { parts: [], cursor: null });
    expect(files.map((file) => file.name)).toEqual([`~/${name}.js`]);
  }
});
