import { includesProject } from "../../../domain/scope.ts";
import type { ArtifactIndex } from "../../state/artifact-index.ts";
import type { ArtifactStore } from "../../state/artifact-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createStoreMethods } from "../store-methods.ts";
import * as artifacts from "./artifacts.ts";
import { countReleaseScripts } from "./count-release-scripts.ts";
import * as artifactFiles from "./find-artifact-files.ts";
import * as missing from "./missing-source-maps.ts";

export function createArtifactStores(db: SqliteConnection): {
  artifacts: ArtifactStore;
  artifactIndex: ArtifactIndex;
} {
  const { read, write } = createStoreMethods(db);
  return {
    artifacts: {
      sumUploads: read(artifacts.sumUploads),
      saveArtifactBundle: write(artifacts.saveArtifactBundle),
      getArtifactBundle: async (scope, bundleId) => artifacts.findBundle(db, scope, { column: "id", value: bundleId }),
      findArtifactBundle: async (scope, checksum) =>
        artifacts.findBundle(db, scope, { column: "checksum", value: checksum }),
      listArtifactBundles: read(artifacts.listScopedBundles),
      listArtifactFiles: async (scope, bundleId) =>
        artifacts.findBundle(db, scope, { column: "id", value: bundleId })
          ? artifacts.listArtifactFiles(db, bundleId)
          : [],
      deleteArtifactBundle: write(artifacts.deleteArtifactBundle),
      findFilesByDebugId: async (scope, projectId, debugIds) =>
        includesProject(scope, projectId) ? artifactFiles.findFilesByDebugId(db, projectId, debugIds) : [],
      findFilesByUrl: async (scope, where, urls) =>
        includesProject(scope, where.projectId) ? artifactFiles.findFilesByUrl(db, where, urls) : [],
      countReleaseScripts: async (scope, where) =>
        includesProject(scope, where.projectId) ? countReleaseScripts(db, where) : { count: 0, mappedCount: 0 },
      listMissingSourceMaps: async (scope, query) =>
        missing.listMissingSourceMaps(db, { ...query, projectIds: scope.projectIds }),
    },
    artifactIndex: {
      listArtifactBundles: async ({ projectId, ...query }) =>
        artifacts.listArtifactBundles(db, {
          ...query,
          ...(projectId === undefined ? {} : { projectIds: [projectId] }),
        }),
      listArtifactFiles: read(artifacts.listArtifactFiles),
      findFilesByDebugId: read(artifactFiles.findFilesByDebugId),
      findFilesByUrl: read(artifactFiles.findFilesByUrl),
      listReleaseUrls: read(artifactFiles.listReleaseUrls),
      artifactVersion: read(artifacts.artifactVersion),
      listMissingSourceMaps: read(missing.listMissingSourceMaps),
      findIssuesMissingSourceMaps: read(missing.findIssuesMissingSourceMaps),
      forgetMissingSourceMaps: write(missing.forgetMissingSourceMaps),
      markMissingForeign: write(missing.markMissingForeign),
    },
  };
}
