/** Types of files in an artifact bundle, in the words of its manifest. */
export const BUNDLE_FILE_TYPES = ["source", "minified_source", "source_map", "indexed_ram_bundle"] as const;
/** The mapping of R8 or ProGuard is an upload by itself. */
export type ArtifactFileType = (typeof BUNDLE_FILE_TYPES)[number] | "proguard_mapping";

/** An upload: an artifact bundle of sources and source maps, one file of a release as older tools send them, or a ProGuard mapping. */
export interface ArtifactBundle {
  id: number;
  /** SHA-1 of the upload. A second upload with the same checksum is not stored. */
  checksum: string;
  /** How the upload's bytes are packed: a ZIP with a manifest, or the one file itself. */
  container: "zip" | "file";
  /** The bundle's own id in its manifest; 32 lower-case hex characters. */
  debugId: string | null;
  note: string | null;
  bytes: number;
  fileCount: number;
  /** Milliseconds since 1970. */
  uploadedAt: number;
  /** Name of the token that was used. Null: a signed-in person, or the token of the operator. */
  uploadedBy: string | null;
  projectIds: number[];
  /** Releases it was uploaded for; none: found by debug id alone. */
  releases: Array<{ version: string; dist: string | null }>;
}

/** A file of an upload, as frames are looked up. */
export interface ArtifactFile {
  bundleId: number;
  /** Path in the ZIP; empty when the upload is the file itself. */
  path: string;
  type: ArtifactFileType;
  /** `~/assets/app.js`, or whole. */
  url: string | null;
  /** 32 lower-case hex characters. */
  debugId: string | null;
  /** Header `sourcemap` (or `x-sourcemap`), as sent: relative to `url`. */
  sourceMapUrl: string | null;
  bytes: number;
}

/** The `manifest.json` of an upload. */
export interface BundleManifest {
  /** 32 lower-case hex characters. */
  debugId: string | null;
  org: string | null;
  project: string | null;
  release: string | null;
  dist: string | null;
  note: string | null;
  files: Array<Omit<ArtifactFile, "bundleId">>;
  /** Files that are listed and of no use here, with the reason. */
  ignored: Array<{ path: string; reason: string }>;
}
