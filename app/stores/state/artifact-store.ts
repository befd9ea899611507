import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";

/** An `ArtifactFile` with what is needed to read it and to say where it came from. */
export interface FoundArtifactFile extends ArtifactFile {
  /** Names the blob. */
  checksum: string;
  container: ArtifactBundle["container"];
  uploadedAt: number;
  /** Of its bundle, where it was found by release; null when it was found by debug id. */
  release: string | null;
  dist: string | null;
}

/** As many missing source maps are kept of one project, counted by issue and key: beyond, foreign ones and those seen longest ago go. */
export const MAX_WANTED_OF_PROJECT = 10_000;

/** What names one of them. */
export type WantedSourceMapKey = Pick<WantedSourceMap, "projectId" | "issueId" | "debugId" | "release" | "dist">;

/** Why frames of stored events could not be mapped: what an upload that comes later is compared with. */
export interface WantedSourceMap {
  projectId: number;
  issueId: number;
  /** By this debug id (32 lower-case hex characters) … */
  debugId: string | null;
  /** … or, where the frame has none, by release and dist. Null: the event names none, and only a debug id can help. */
  release: string | null;
  dist: string | null;
  eventCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  /** `abs_path` of one of the frames, as an example. */
  sampleUrl: string;
  /**
   * Whether no frame wants it that is the project's own code and cannot be read without: good to have when it is there,
   * nothing to ask people for.
   */
  isForeign: boolean;
}

/** Index of uploads: which file answers for which debug id, or URL of a release. The bytes are in the blob store. */
export interface ArtifactStore {
  /**
   * Atomic. An upload whose checksum is known keeps its files and gains the projects and releases that are new to it.
   * Grows `artifactVersion`.
   */
  saveArtifactBundle(
    bundle: Omit<ArtifactBundle, "id" | "fileCount">,
    files: ReadonlyArray<Omit<ArtifactFile, "bundleId">>,
  ): Promise<ArtifactBundle>;
  getArtifactBundle(bundleId: number): Promise<ArtifactBundle | null>;
  findArtifactBundle(checksum: string): Promise<ArtifactBundle | null>;
  /** Newest first, of one project or release or all; `limit` at most 100; `cursor` opaque. */
  listArtifactBundles(query: {
    projectId?: number;
    release?: string;
    cursor: string | null;
    limit: number;
  }): Promise<{ bundles: ArtifactBundle[]; nextCursor: string | null }>;
  /** In the order of their paths, at most 10,000. */
  listArtifactFiles(bundleId: number): Promise<ArtifactFile[]>;
  /** Gives the checksum whose blob may go; null when there was no such bundle. Grows `artifactVersion`. */
  deleteArtifactBundle(bundleId: number): Promise<string | null>;
  /** Of the project, newest upload first; of one id and type at most 10. */
  findFilesByDebugId(projectId: number, debugIds: readonly string[]): Promise<FoundArtifactFile[]>;
  /** Of the project's uploads for exactly this release and dist (null: without), newest upload first; of one URL at most 10. */
  findFilesByUrl(
    where: { projectId: number; release: string; dist: string | null },
    urls: readonly string[],
  ): Promise<FoundArtifactFile[]>;
  /** What uploads of a project and release hold, for saying what is there instead of what was looked for; at most `limit`. */
  listReleaseUrls(
    where: { projectId: number; release: string },
    limit: number,
  ): Promise<Array<{ url: string; dist: string | null }>>;
  /**
   * Of the project's uploads for the release, whatever their dist: how many scripts there are, and how many have a map there.
   * A script that names no map and came with those of others is not counted.
   */
  countReleaseScripts(where: { projectId: number; release: string }): Promise<{ count: number; mappedCount: number }>;
  /** Grows with every upload and deletion, whichever thread made it: cheap to ask. Answers cached below it are stale. */
  artifactVersion(): Promise<number>;

  /** What of a project's events waits for a map, most events first, at most 1,000. */
  listWantedSourceMaps(query: {
    projectIds: number[];
    release?: string;
    issueId?: number;
    isForeign?: boolean;
  }): Promise<WantedSourceMap[]>;
  /**
   * Which issues an upload may help, and by which of their keys: those with one of the debug ids (32 lower-case hex
   * characters), or of one of the releases with exactly that dist (null: without). `eventCount` as in WantedSourceMap.
   */
  findIssuesWantingSourceMaps(uploaded: {
    projectIds: number[];
    debugIds: readonly string[];
    releases: ReadonlyArray<{ version: string; dist: string | null }>;
  }): Promise<Array<{ issueId: number; keys: Array<WantedSourceMapKey & { eventCount: number }> }>>;
  /**
   * Once the events of the issue are mapped by them. With an `eventCount`, only while no more events want it than that: those
   * that came meanwhile may have been digested before the upload. Gives how many went.
   */
  forgetWantedSourceMaps(keys: ReadonlyArray<WantedSourceMapKey & { eventCount?: number }>): Promise<number>;
  /** The same once no frame of the project's own code wants them any more, but others do. */
  markWantedForeign(keys: ReadonlyArray<WantedSourceMapKey & { eventCount?: number }>): Promise<number>;
}
