import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import type { Scope } from "../../domain/scope.ts";
import type { WantedMapType } from "../../domain/symbolication.ts";

/** An `ArtifactFile` with its place for reading and its origin for people. */
export interface FoundArtifactFile extends ArtifactFile {
  /** Names the blob. */
  checksum: string;
  container: ArtifactBundle["container"];
  uploadedAt: number;
  /** The release of its bundle, if it was found by release; null if it was found by debug id. */
  release: string | null;
  dist: string | null;
}

/**
 * The number of missing source maps that are kept per project, counted by issue and key. Beyond it, foreign ones and those seen longest ago
 * are deleted.
 */
export const MAX_MISSING_OF_PROJECT = 10_000;

export type MissingSourceMapKey = Pick<MissingSourceMap, "projectId" | "issueId" | "debugId" | "release" | "dist">;

/** Why frames of stored events could not be mapped: what an upload that comes later is compared with. */
export interface MissingSourceMap {
  type: WantedMapType;
  projectId: number;
  issueId: number;
  /**
   * The debug id of the map, or the id of the ProGuard mapping (32 lower-case hex characters). Null: the frame has none, and the map is found
   * by release and dist.
   */
  debugId: string | null;
  /** The release by which the map is found. Null: the event names none, and only a debug id can help. */
  release: string | null;
  dist: string | null;
  eventCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  /** `abs_path` of one of the frames, as an example; the class of one for a ProGuard mapping. */
  sampleUrl: string;
  /**
   * Whether no frame wants it that is the project's own code and cannot be read without: good to have when it is there,
   * nothing to ask people for.
   */
  isForeign: boolean;
}

/** Uploads as people and their tools see them. An upload is in a scope when one of its projects is. */
export interface ArtifactStore {
  /** Bytes of the uploads of each project; one that several have counts for each of them. */
  sumUploads(scope: Scope): Promise<Array<{ projectId: number; bytes: number }>>;
  /**
   * Atomic. An upload whose checksum is known keeps its files and gains the projects that are new to it, and for the named
   * projects the releases that are new to it. Releases of other projects stay as they are.
   * Projects outside of the scope are left out. Grows `ArtifactIndex.artifactVersion`.
   */
  saveArtifactBundle(
    scope: Scope,
    bundle: Omit<ArtifactBundle, "id" | "fileCount">,
    files: ReadonlyArray<Omit<ArtifactFile, "bundleId">>,
  ): Promise<ArtifactBundle>;
  getArtifactBundle(scope: Scope, bundleId: number): Promise<ArtifactBundle | null>;
  findArtifactBundle(scope: Scope, checksum: string): Promise<ArtifactBundle | null>;
  /** Newest first; `limit` at most 100; `cursor` opaque. */
  listArtifactBundles(
    scope: Scope,
    query: { release?: string; cursor: string | null; limit: number },
  ): Promise<{ bundles: ArtifactBundle[]; nextCursor: string | null }>;
  /** The files in the order of their paths, at most 10,000. */
  listArtifactFiles(scope: Scope, bundleId: number): Promise<ArtifactFile[]>;
  /**
   * Takes the upload from the projects of the scope. `freedChecksum`: the blob that may go, because no project has the
   * upload any more; null: another project has it. Null when there is no such upload. Grows
   * `ArtifactIndex.artifactVersion`.
   */
  deleteArtifactBundle(scope: Scope, bundleId: number): Promise<{ freedChecksum: string | null } | null>;
  /** Like `ArtifactIndex.findFilesByDebugId`. Empty for a project outside of the scope. */
  findFilesByDebugId(scope: Scope, projectId: number, debugIds: readonly string[]): Promise<FoundArtifactFile[]>;
  /** Like `ArtifactIndex.findFilesByUrl`. Empty for a project outside of the scope. */
  findFilesByUrl(
    scope: Scope,
    where: { projectId: number; release: string; dist: string | null },
    urls: readonly string[],
  ): Promise<FoundArtifactFile[]>;
  /**
   * The number of scripts in the project's uploads for the release, with any dist, and how many of them have a map in the uploads. A script
   * that names no map and was uploaded with the maps of others is not counted.
   */
  countReleaseScripts(
    scope: Scope,
    where: { projectId: number; release: string },
  ): Promise<{ count: number; mappedCount: number }>;
  /** The missing source maps of the scope's events, most events first, at most 1,000. */
  listMissingSourceMaps(
    scope: Scope,
    query: { release?: string; issueId?: number; isForeign?: boolean },
  ): Promise<MissingSourceMap[]>;
}
