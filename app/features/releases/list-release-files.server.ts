import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import type { StateStore } from "../../stores/state-store.ts";

export interface ReleaseBundle extends ArtifactBundle {
  /** For this release. */
  dist: string | null;
  /** The first of its files; null where they are to be asked for. */
  files: ArtifactFile[] | null;
}

export interface ReleaseFilesPage {
  bundles: ReleaseBundle[];
  nextCursor: string | null;
}

const BUNDLES_PER_PAGE = 20;
/** Small uploads are shown with their files at once. */
const MAX_FILES_AT_ONCE = 20;
const MAX_FILES_SHOWN = 500;

/** Newest upload first. `bundle` in the URL asks for the files of a large one. */
export async function listReleaseFiles(
  state: StateStore,
  { version, url }: { version: string; url: URL },
): Promise<ReleaseFilesPage> {
  const { bundles, nextCursor } = await state.listArtifactBundles({
    release: version,
    cursor: url.searchParams.get("cursor") || null,
    limit: BUNDLES_PER_PAGE,
  });
  const asked = Number(url.searchParams.get("bundle"));
  return {
    nextCursor,
    bundles: await Promise.all(
      bundles.map(async (bundle) => ({
        ...bundle,
        dist: bundle.releases.find((release) => release.version === version)?.dist ?? null,
        files:
          bundle.fileCount <= MAX_FILES_AT_ONCE || bundle.id === asked
            ? (await state.listArtifactFiles(bundle.id)).slice(0, MAX_FILES_SHOWN)
            : null,
      })),
    ),
  };
}
