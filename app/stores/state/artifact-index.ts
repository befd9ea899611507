import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import type { FoundArtifactFile, MissingSourceMap, MissingSourceMapKey } from "./artifact-store.ts";

/**
 * Which uploaded file answers for which debug id, or URL of a release, of a project: for the digest, the symbolicator and
 * the reprocessing of stored events. The bytes are in the blob store.
 */
export interface ArtifactIndex {
  /**
   * Newest first, of one project or release or all; `limit` at most 100; `cursor` opaque. A release is named once for each
   * project that has the upload for it.
   */
  listArtifactBundles(query: {
    projectId?: number;
    release?: string;
    cursor: string | null;
    limit: number;
  }): Promise<{ bundles: ArtifactBundle[]; nextCursor: string | null }>;
  /** The files in the order of their paths, at most 10,000. */
  listArtifactFiles(bundleId: number): Promise<ArtifactFile[]>;
  /** Files of the project, newest upload first; at most 10 of one id and type. */
  findFilesByDebugId(projectId: number, debugIds: readonly string[]): Promise<FoundArtifactFile[]>;
  /** Files of the project's uploads for exactly this release and dist (null: without), newest upload first; at most 10 of one URL. */
  findFilesByUrl(
    where: { projectId: number; release: string; dist: string | null },
    urls: readonly string[],
  ): Promise<FoundArtifactFile[]>;
  /** URLs in uploads of a project and release, at most `limit`. They show what was uploaded instead of the wanted file. */
  listReleaseUrls(
    where: { projectId: number; release: string },
    limit: number,
  ): Promise<Array<{ url: string; dist: string | null }>>;
  /** Grows with every upload and deletion, whichever thread made it: cheap to ask. Answers cached below it are stale. */
  artifactVersion(): Promise<number>;

  /** The missing source maps of a project's events, most events first, at most 1,000. */
  listMissingSourceMaps(query: {
    projectIds: readonly number[];
    release?: string;
    issueId?: number;
    isForeign?: boolean;
  }): Promise<MissingSourceMap[]>;
  /**
   * Which issues an upload may help, and by which of their keys: those with one of the debug ids (32 lower-case hex
   * characters), or of one of the releases with exactly that dist (null: without). `eventCount` as in MissingSourceMap.
   */
  findIssuesMissingSourceMaps(uploaded: {
    projectIds: number[];
    debugIds: readonly string[];
    releases: ReadonlyArray<{ version: string; dist: string | null }>;
  }): Promise<Array<{ issueId: number; keys: Array<MissingSourceMapKey & { eventCount: number }> }>>;
  /**
   * Forgets missing source maps after the events of the issue were mapped. An entry with an `eventCount` is only forgotten if no more
   * events want the map: the others may have been digested before the upload. Returns how many were forgotten.
   */
  forgetMissingSourceMaps(keys: ReadonlyArray<MissingSourceMapKey & { eventCount?: number }>): Promise<number>;
  /** Marks them as foreign if no frame of the project's own code wants them any more, but other frames do. `eventCount` as above. */
  markMissingForeign(keys: ReadonlyArray<MissingSourceMapKey & { eventCount?: number }>): Promise<number>;
}
