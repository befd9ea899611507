import {
  ASSEMBLED,
  type AssembleAnswer,
  assembleChunks,
  enterUpload,
  inUploadTurn,
  type Uploader,
} from "./assemble-chunks.server.ts";
import { extendArtifactBundle, storeArtifactBundle, type UploadedBundle } from "./store-artifact-bundle.server.ts";
import { MAX_UPLOAD_BYTES } from "./upload-limits.ts";

/**
 * Joins chunks to an artifact bundle, at once: after the answer `ok`, the next event finds its files. If the upload exists already, it only
 * gains projects and releases.
 * @throws as `inUploadTurn`
 */
export function assembleArtifactBundle(
  uploader: Omit<Uploader, "projects">,
  bundle: UploadedBundle,
): Promise<AssembleAnswer> {
  const sender = { ...uploader, projects: bundle.projects };
  return inUploadTurn(sender, async (workspace) => {
    if (await extendArtifactBundle(workspace, bundle)) return ASSEMBLED;
    return await assembleChunks(workspace, { ...bundle, maxBytes: MAX_UPLOAD_BYTES }, (file) =>
      storeArtifactBundle(workspace, { ...bundle, ...file, enter: () => enterUpload(sender) }),
    );
  });
}
