import { z } from "zod";
import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import type { Engine } from "../../engine/engine.ts";
import { refusal, toIso } from "../answers.ts";
import { instant } from "../shapes.ts";

/** Bundles of one page: an artifact bundle may have thousands of files. */
const BUNDLES_PER_PAGE = 20;

export interface ReleaseFile {
  bundle: ArtifactBundle;
  file: ArtifactFile;
  dist: string | null;
  /** Place in its bundle. */
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

/** A page of the files of a release, those in artifact bundles too. `parts` of the name: any of them; empty: all. */
export async function listReleaseFiles(
  engine: Engine,
  { release, project }: { release: Release; project: Project | null },
  { parts, cursor }: { parts: string[]; cursor: string | null },
) {
  const page = await engine.state.artifacts.listArtifactBundles({
    ...(project ? { projectId: project.id } : {}),
    release: release.version,
    cursor,
    limit: BUNDLES_PER_PAGE,
  });
  const files: ReleaseFile[] = [];
  for (const bundle of page.bundles) files.push(...(await listFilesOfBundle(engine, bundle, release)));
  return {
    files: files
      .map(serializeReleaseFile)
      .filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part))),
    nextCursor: page.nextCursor,
  };
}

/** @throws a 404 answer. */
export async function requireReleaseFile(
  engine: Engine,
  release: Release,
  { project, id }: { project: Project | null; id: string },
): Promise<ReleaseFile> {
  const match = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(id);
  const bundle = match && (await engine.state.artifacts.getArtifactBundle(Number(match[1])));
  const isOfRelease = bundle?.releases.some(({ version }) => version === release.version);
  if (!bundle || !isOfRelease || (project && !bundle.projectIds.includes(project.id)))
    throw refusal(404, "The requested file does not exist");
  const file = (await listFilesOfBundle(engine, bundle, release))[Number(match[2] ?? 0)];
  if (!file) throw refusal(404, "The requested file does not exist");
  return file;
}

/** @throws a 400 answer when the file is in an artifact bundle. */
export async function deleteReleaseFile({ state, blobs }: Engine, { bundle }: ReleaseFile): Promise<void> {
  if (bundle.container === "zip")
    throw refusal(400, "This file is in an artifact bundle, which is deleted as a whole.");
  const checksum = await state.artifacts.deleteArtifactBundle(bundle.id);
  if (checksum !== null) await blobs.delete(checksum);
}

export async function listFilesOfBundle(
  { state }: Pick<Engine, "state">,
  bundle: ArtifactBundle,
  release: Release,
): Promise<ReleaseFile[]> {
  const dist = bundle.releases.find(({ version }) => version === release.version)?.dist ?? null;
  const files = await state.artifacts.listArtifactFiles(bundle.id);
  return files.map((file, index) => ({ bundle, file, dist, index }));
}

/** The checksum of a file in an artifact bundle is its bundle's: nothing has read the file by itself. */
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
    sha1: bundle.checksum,
    dateCreated: toIso(bundle.uploadedAt),
  };
}
