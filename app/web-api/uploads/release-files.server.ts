import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import { narrowScope } from "../../domain/scope.ts";
import { deleteArtifactBundle } from "../../features/source-maps/change-uploads.server.ts";
import { refusal, toIso } from "../answers.ts";
import { instant } from "../shapes.ts";

/** The most bundles of one page: an artifact bundle may have thousands of files. */
const BUNDLES_PER_PAGE = 20;

export interface ReleaseFile {
  bundle: ArtifactBundle;
  file: ArtifactFile;
  dist: string | null;
  /** The place of the file in its bundle, from 0. */
  index: number;
}

export const releaseFileAnswer = z.object({
  id: z.string(),
  name: z.string(),
  dist: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  size: z.int(),
  sha1: z.string(),
  dateCreated: instant,
});

/** A page of the files of a release, including those in artifact bundles. `parts`: a name must contain one of them; empty: all files. */
export async function listReleaseFiles(
  workspace: Workspace,
  { release, project }: { release: Release; project: Project | null },
  { parts, cursor }: { parts: string[]; cursor: string | null },
) {
  const scope = project ? narrowScope(workspace.scope, [project.id]) : workspace.scope;
  const page = await workspace.state.artifacts.listArtifactBundles(scope, {
    release: release.version,
    cursor,
    limit: BUNDLES_PER_PAGE,
  });
  const files: ReleaseFile[] = [];
  for (const bundle of page.bundles) files.push(...(await listFilesOfBundle(workspace, bundle, release)));
  return {
    files: files
      .map(serializeReleaseFile)
      .filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part))),
    nextCursor: page.nextCursor,
  };
}

/** @throws a 404 answer. */
export async function requireReleaseFile(
  workspace: Workspace,
  release: Release,
  { project, id }: { project: Project | null; id: string },
): Promise<ReleaseFile> {
  const match = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(id);
  const scope = project ? narrowScope(workspace.scope, [project.id]) : workspace.scope;
  const bundle = match && (await workspace.state.artifacts.getArtifactBundle(scope, Number(match[1])));
  const isOfRelease = bundle?.releases.some(({ version }) => version === release.version);
  if (!bundle || !isOfRelease) throw refusal(404, "The requested file does not exist");
  const file = (await listFilesOfBundle(workspace, bundle, release))[Number(match[2] ?? 0)];
  if (!file) throw refusal(404, "The requested file does not exist");
  return file;
}

/** Deletes a file of a release. If the path names a project: only for that project. @throws a 400 answer if the file is in an artifact bundle. */
export async function deleteReleaseFile(
  workspace: Workspace,
  { bundle }: ReleaseFile,
  project: Project | null,
): Promise<void> {
  if (bundle.container === "zip")
    throw refusal(400, "This file is in an artifact bundle, which is deleted as a whole.");
  const scope = project ? narrowScope(workspace.scope, [project.id]) : workspace.scope;
  await deleteArtifactBundle(workspace, scope, bundle.id);
}

export async function listFilesOfBundle(
  { state, scope }: Workspace,
  bundle: ArtifactBundle,
  release: Release,
): Promise<ReleaseFile[]> {
  const dist = bundle.releases.find(({ version }) => version === release.version)?.dist ?? null;
  const files = await state.artifacts.listArtifactFiles(scope, bundle.id);
  return files.map((file, index) => ({ bundle, file, dist, index }));
}

/** A file in an artifact bundle gets the checksum of the bundle, because nothing has read the file by itself. */
export function serializeReleaseFile({ bundle, file, dist, index }: ReleaseFile): z.input<typeof releaseFileAnswer> {
  return {
    id: bundle.container === "file" ? String(bundle.id) : `${bundle.id}.${index}`,
    name: file.url ?? file.path,
    dist,
    headers: {
      ...(file.sourceMapUrl === null ? {} : { Sourcemap: file.sourceMapUrl }),
      ...(file.debugId === null ? {} : { "debug-id": file.debugId }),
    },
    size: file.bytes,
    // The checksum of a single file has more than 40 digits: see `checksumOf`. The first 40 are the SHA-1 of its content.
    sha1: bundle.checksum.slice(0, 40),
    dateCreated: toIso(bundle.uploadedAt),
  };
}
