import type { Workspace } from "../../access/workspace.ts";
import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import { narrowScope } from "../../domain/scope.ts";

export interface OpenedUpload {
  id: number;
  /** The first files, sorted by path. */
  files: ArtifactFile[];
}

export interface ListedUpload extends ArtifactBundle {
  /** Null: it is a bundle of files. */
  singleFile: Pick<ArtifactFile, "type" | "url" | "debugId"> | null;
}

/** A page of uploads, newest first. */
export interface UploadsPage {
  uploads: ListedUpload[];
  nextCursor: string | null;
  /** The upload whose files are shown. Null: none. */
  opened: OpenedUpload | null;
}

/** The uploads of a project, of a release, or of a release in a project. */
export interface UploadsPlace {
  projectId?: number;
  release?: string;
}

const UPLOADS_PER_PAGE = 20;
const MAX_FILES_SHOWN = 200;

/** `cursor` and `upload` (whose files are shown) are parameters of the URL. */
export async function listUploads(
  workspace: Workspace,
  { place, url }: { place: UploadsPlace; url: URL },
): Promise<UploadsPage> {
  const { state, scope } = workspace;
  const placed = place.projectId === undefined ? scope : narrowScope(scope, [place.projectId]);
  const [{ bundles, nextCursor }, opened] = await Promise.all([
    state.artifacts.listArtifactBundles(placed, {
      ...(place.release === undefined ? {} : { release: place.release }),
      cursor: url.searchParams.get("cursor") || null,
      limit: UPLOADS_PER_PAGE,
    }),
    openUpload(workspace, place, url.searchParams.get("upload")),
  ]);
  const uploads = await Promise.all(
    bundles.map(async (bundle) => ({ ...bundle, singleFile: await findSingleFile(workspace, bundle) })),
  );
  return { uploads, nextCursor, opened };
}

async function findSingleFile(
  { state, scope }: Workspace,
  { id, container }: ArtifactBundle,
): Promise<ListedUpload["singleFile"]> {
  if (container !== "file") return null;
  const [file] = await state.artifacts.listArtifactFiles(scope, id);
  return file === undefined ? null : { type: file.type, url: file.url, debugId: file.debugId };
}

async function openUpload(
  workspace: Workspace,
  place: UploadsPlace,
  text: string | null,
): Promise<OpenedUpload | null> {
  const bundle = await findUpload(workspace, place, text);
  if (bundle === null) return null;
  const files = await workspace.state.artifacts.listArtifactFiles(workspace.scope, bundle.id);
  return { id: bundle.id, files: files.slice(0, MAX_FILES_SHOWN) };
}

/** Finds an upload by its id in an address or a form. Null: the scope has no such upload. */
export async function findUpload(
  { state, scope }: Workspace,
  { projectId, release }: UploadsPlace,
  text: string | null,
): Promise<ArtifactBundle | null> {
  const bundle =
    text !== null && /^\d{1,15}$/.test(text) ? await state.artifacts.getArtifactBundle(scope, Number(text)) : null;
  if (bundle === null || (projectId !== undefined && !bundle.projectIds.includes(projectId))) return null;
  return release === undefined || bundle.releases.some(({ version }) => version === release) ? bundle : null;
}
