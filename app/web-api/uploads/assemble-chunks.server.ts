import type { Workspace } from "../../access/workspace.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import type { Project } from "../../domain/project.ts";
import { includesProject } from "../../domain/scope.ts";
import { isChunkError } from "../../stores/chunk-store.ts";
import { refusal } from "../answers.ts";

export interface AssembleAnswer {
  state: "not_found" | "created" | "assembling" | "ok" | "error";
  missingChunks: string[];
  detail: string | null;
}

export interface ChunkedFile {
  /** SHA-1 of the whole file. */
  checksum: string;
  /** SHA-1s of the chunks, in order. Empty: the tool only asks for the state. */
  chunks: readonly string[];
}

export const ASSEMBLED: AssembleAnswer = { state: "ok", missingChunks: [], detail: null };

/** One at a time: to find the debug id of a map without one, the whole map is read, and the largest fill the memory. */
const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: 500, maxWaitMs: 60_000 });
const RETRY_AFTER_SECONDS = 5;

/** Who uploads, and where to. */
export interface Uploader {
  projects: readonly Project[];
  signal?: AbortSignal;
  /** Authorizes the sender again: while it waited, its token may have been revoked. */
  enterAgain(): Promise<{ workspace: Workspace }>;
}

/**
 * Waits until no other upload is put together.
 * @throws a 503 answer, after which tools try again; and one of 401, 403 or 404 if the sender may not upload any more.
 */
export async function inUploadTurn<Result>(
  uploader: Uploader,
  run: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const leave = await limit.enter(uploader.signal);
  if (!leave) {
    throw refusal(503, "too many uploads are put together at once; try again", {
      "retry-after": String(RETRY_AFTER_SECONDS),
    });
  }
  try {
    const { workspace } = await enterUpload(uploader);
    return await run(workspace);
  } finally {
    leave();
  }
}

/** @throws an answer of 401, 403 or 404 if the sender may not upload any more */
export async function enterUpload({ projects, enterAgain }: Uploader): Promise<{ workspace: Workspace }> {
  const entered = await enterAgain();
  const gone = projects.find(({ id }) => !includesProject(entered.workspace.scope, id));
  if (gone) throw refusal(404, `The project ${gone.slug} does not exist`);
  return entered;
}

/** Joins chunks, and gives the file to `use`, which says what is wrong with it, or null once it is stored. */
export async function assembleChunks(
  { chunks: store }: Pick<Workspace, "chunks">,
  { checksum, chunks, maxBytes }: ChunkedFile & { maxBytes: number },
  use: (file: { path: string; bytes: number }) => Promise<string | null>,
): Promise<AssembleAnswer> {
  const missingChunks = await store.listMissing(chunks);
  if (chunks.length === 0 || missingChunks.length > 0) return { state: "not_found", missingChunks, detail: null };
  try {
    const problem = await store.assemble({ checksum, chunks, maxBytes }, (path, bytes) => use({ path, bytes }));
    return problem === null ? ASSEMBLED : { state: "error", missingChunks: [], detail: problem };
  } catch (error) {
    if (isChunkError(error, "ChunkMissingError"))
      return { state: "not_found", missingChunks: await store.listMissing(chunks), detail: null };
    if (isChunkError(error, "ChunkMismatchError")) return { state: "error", missingChunks: [], detail: error.message };
    if (error instanceof RangeError)
      return { state: "error", missingChunks: [], detail: `the file is over ${maxBytes} bytes` };
    throw error;
  }
}
