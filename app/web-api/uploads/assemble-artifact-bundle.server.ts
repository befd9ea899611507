import type { Workspace } from "../../access/workspace.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import { isChunkError } from "../../stores/chunk-store.ts";
import { refusal } from "../answers.ts";
import { extendArtifactBundle, storeArtifactBundle, type UploadedBundle } from "./store-artifact-bundle.server.ts";
import { MAX_UPLOAD_BYTES } from "./upload-limits.ts";

export interface AssembleAnswer {
  state: "not_found" | "created" | "assembling" | "ok" | "error";
  missingChunks: string[];
  detail: string | null;
}

/** One at a time: to find the debug id of a map without one, the whole map is read, and the largest fill the memory. */
const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: 500, maxWaitMs: 60_000 });
const RETRY_AFTER_SECONDS = 5;

/**
 * Joins chunks to an artifact bundle, at once: after the answer `ok`, the next event finds its files. If the upload exists already, it only
 * gains projects and releases.
 * @throws a 503 answer, after which tools try again.
 */
export async function assembleArtifactBundle(
  workspace: Workspace,
  bundle: UploadedBundle,
  signal?: AbortSignal,
): Promise<AssembleAnswer> {
  const leave = await limit.enter(signal);
  if (!leave) {
    throw refusal(503, "too many uploads are put together at once; try again", {
      "retry-after": String(RETRY_AFTER_SECONDS),
    });
  }
  try {
    return await assemble(workspace, bundle);
  } finally {
    leave();
  }
}

async function assemble(workspace: Workspace, bundle: UploadedBundle): Promise<AssembleAnswer> {
  const { checksum, chunks } = bundle;
  if (await extendArtifactBundle(workspace, bundle)) return { state: "ok", missingChunks: [], detail: null };
  const missingChunks = await workspace.chunks.listMissing(chunks);
  if (chunks.length === 0 || missingChunks.length > 0) return { state: "not_found", missingChunks, detail: null };
  try {
    const problem = await workspace.chunks.assemble({ checksum, chunks, maxBytes: MAX_UPLOAD_BYTES }, (path, bytes) =>
      storeArtifactBundle(workspace, bundle, { path, bytes }),
    );
    return { state: problem === null ? "ok" : "error", missingChunks: [], detail: problem };
  } catch (error) {
    if (isChunkError(error, "ChunkMissingError"))
      return { state: "not_found", missingChunks: await workspace.chunks.listMissing(chunks), detail: null };
    if (isChunkError(error, "ChunkMismatchError")) return { state: "error", missingChunks: [], detail: error.message };
    if (error instanceof RangeError)
      return { state: "error", missingChunks: [], detail: `the file is over ${MAX_UPLOAD_BYTES} bytes` };
    throw error;
  }
}
