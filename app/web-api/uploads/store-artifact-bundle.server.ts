import type { Workspace } from "../../access/workspace.ts";
import type { BundleManifest } from "../../domain/artifact.ts";
import type { Project } from "../../domain/project.ts";
import { cleanReleaseVersion } from "../../domain/release-version.ts";
import { changeUploads } from "../../features/source-maps/change-uploads.server.ts";

export interface UploadedBundle {
  /** SHA-1 of the whole. */
  checksum: string;
  /** SHA-1s in order; none: only the state is asked for. */
  chunks: readonly string[];
  projects: readonly Project[];
  /** Null: the files are found by debug id alone, unless the manifest names a release. */
  version: string | null;
  dist: string | null;
  uploadedBy: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Tools and manifests send these texts when a build had no release. */
const NO_RELEASE = new Set(["undefined", "null"]);

/**
 * Reads the manifest of an upload, moves the upload to where it stays, and makes its files findable, in this order: a
 * crash in between leaves a blob that nothing names, and the tool uploads again. Gives what is wrong with the upload; null
 * when it is stored.
 */
export async function storeArtifactBundle(
  workspace: Workspace,
  bundle: UploadedBundle,
  { path, bytes }: { path: string; bytes: number },
): Promise<string | null> {
  const read = await workspace.readBundle(path);
  if (!read.ok) return read.problem;
  const { manifest } = read;
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

/** An upload that is there already: its files stay, projects and releases are added. False: it is not there. */
export async function extendArtifactBundle(workspace: Workspace, bundle: UploadedBundle): Promise<boolean> {
  return await changeUploads(() => extend(workspace, bundle));
}

async function extend(workspace: Workspace, bundle: UploadedBundle): Promise<boolean> {
  const known = await workspace.state.artifacts.findArtifactBundle(workspace.scope, bundle.checksum);
  // Without a version, the manifest says which release it is, and it is read when the upload comes.
  const isOfAll = bundle.projects.every(({ id }) => known?.projectIds.includes(id));
  if (!known || (bundle.version === null && !isOfAll)) return false;
  // An upload without its blob is not there: who lost the blobs gets them back by uploading again.
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

/** The newer tools upload for a release without making it first. */
async function saveRelease(
  { state, scope }: Workspace,
  { projects, at }: UploadedBundle,
  release: { version: string } | null,
): Promise<void> {
  if (!release) return;
  await state.releases.saveRelease(scope, { version: release.version, projectIds: projects.map(({ id }) => id), at });
}
