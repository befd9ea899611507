import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import { openSqliteState } from "../../stores/sqlite/open-sqlite-state.ts";
import { createProject, EVERYTHING, NOON } from "../../stores/state/contract/fixture.ts";
import { listReleaseFiles } from "./release-files.server.ts";

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
