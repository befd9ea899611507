import type { Workspace } from "../../access/workspace.ts";
import type { BundleManifest } from "../../domain/artifact.ts";
import type { Project } from "../../domain/project.ts";
import { cleanReleaseVersion } from "../../domain/release-version.ts";
import { changeUploads } from "../../features/source-maps/change-uploads.server.ts";

export interface UploadedBundle {
  /** SHA-1 of the whole bundle. */
  checksum: string;
  /** SHA-1s of the chunks, in order. Empty: the tool only asks for the state. */
  chunks: readonly string[];
  projects: readonly Project[];
  /** The release. Null: files are found by debug id alone, unless the manifest names a release. */
  version: string | null;
  dist: string | null;
  uploadedBy: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

interface ReadUpload {
  path: string;
  bytes: number;
  /** Authorizes the sender once more, because reading may take two minutes. Throws if they may not upload any more. */
  enter(): Promise<{ workspace: Workspace }>;
}

/** Tools and manifests send these texts when a build had no release. */
const NO_RELEASE = new Set(["undefined", "null"]);

/**
 * Reads the manifest of an upload, moves the upload to its final place, then makes its files findable. After a crash in between, only a
 * blob is left that nothing names, and the tool uploads again. Returns what is wrong with the upload, or null if it is stored.
 */
export async function storeArtifactBundle(
  { readBundle }: Pick<Workspace, "readBundle">,
  { path, bytes, enter, ...bundle }: UploadedBundle & ReadUpload,
): Promise<string | null> {
  const read = await readBundle(path);
  if (!read.ok) return read.problem;
  const { manifest } = read;
  const { workspace } = await enter();
  await changeUploads(() => putArtifactBundle(workspace, bundle, { path, bytes, manifest }));
  return null;
}

async function putArtifactBundle(
  workspace: Workspace,
  bundle: UploadedBundle,
  { path, bytes, manifest }: { path: string; bytes: number; manifest: BundleManifest },
): Promise<void> {
  await workspace.blobs.putFile(bundle.checksum, path);
  const release = toRelease(bundle, manifest);
  await saveRelease(workspace, bundle, release);
  await workspace.state.artifacts.saveArtifactBundle(
    workspace.scope,
    {
      checksum: bundle.checksum,
      container: "zip",
      debugId: manifest.debugId,
      note: manifest.note,
      bytes,
      uploadedAt: bundle.at,
      uploadedBy: bundle.uploadedBy,
      projectIds: bundle.projects.map(({ id }) => id),
      releases: release ? [release] : [],
    },
    manifest.files,
  );
}

/** Adds projects and releases to an upload that exists already; its files stay. False: it does not exist. */
export async function extendArtifactBundle(workspace: Workspace, bundle: UploadedBundle): Promise<boolean> {
  return await changeUploads(() => extend(workspace, bundle));
}

async function extend(workspace: Workspace, bundle: UploadedBundle): Promise<boolean> {
  const known = await workspace.state.artifacts.findArtifactBundle(workspace.scope, bundle.checksum);
  // Without a version, the manifest names the release. It is read when the upload comes.
  const isOfAll = bundle.projects.every(({ id }) => known?.projectIds.includes(id));
  if (!known || (bundle.version === null && !isOfAll)) return false;
  // An upload whose blob is missing counts as absent: then uploading again restores the blob.
  const blob = await workspace.blobs.open(bundle.checksum);
  await blob?.close();
  if (!blob) return false;
  const { id: _, fileCount: __, ...rest } = known;
  const release = toRelease(bundle, null);
  await saveRelease(workspace, bundle, release);
  const projectIds = bundle.projects.map((project) => project.id);
  await workspace.state.artifacts.saveArtifactBundle(
    workspace.scope,
    { ...rest, projectIds, releases: release ? [release] : [] },
    [],
  );
  return true;
}

function toRelease(
  { version, dist }: UploadedBundle,
  manifest: BundleManifest | null,
): { version: string; dist: string | null } | null {
  const named = version ?? manifest?.release ?? null;
  if (named === null || NO_RELEASE.has(named)) return null;
  if (version !== null) return { version, dist };
  const cleaned = cleanReleaseVersion(named);
  return cleaned === null ? null : { version: cleaned, dist: dist ?? manifest?.dist ?? null };
}

/** Creates the release, because newer tools upload for a release without creating it first. */
async function saveRelease(
  { state, scope }: Workspace,
  { projects, at }: UploadedBundle,
  release: { version: string } | null,
): Promise<void> {
  if (!release) return;
  await state.releases.saveRelease(scope, { version: release.version, projectIds: projects.map(({ id }) => id), at });
}
