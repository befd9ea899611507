import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Workspace } from "../../access/workspace.ts";
import { MIB } from "../../domain/bytes.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import { isChunkError } from "../../stores/chunk-store.ts";
import { refusal } from "../answers.ts";
import { type MultipartFile, readMultipart } from "./read-multipart.server.ts";
import { CHUNK_BYTES, CHUNKS_PER_REQUEST, MAX_CHUNK_REQUEST_BYTES } from "./upload-limits.ts";

/** Room for the boundaries and headers of the parts. */
const MULTIPART_EXTRA_BYTES = MIB;

/**
 * Each request holds one chunk in memory, compressed and uncompressed: 8 requests need some 32 MiB. The bodies of waiting requests stay
 * with the sender.
 */
const limit = createConcurrencyLimit({ atOnce: 8, maxWaiting: 500, maxWaitMs: 60_000 });
const RETRY_AFTER_SECONDS = 5;

/** Stores the chunks of a request. @throws a 400, 413 or 503 answer. */
export async function uploadChunks({ chunks }: Workspace, request: Request): Promise<void> {
  const leave = await limit.enter(request.signal);
  if (!leave) {
    throw refusal(503, "too many uploads come in at once; try again", { "retry-after": String(RETRY_AFTER_SECONDS) });
  }
  try {
    const limits = {
      maxFiles: CHUNKS_PER_REQUEST,
      // Data that cannot be compressed grows a little when it is compressed.
      maxFileBytes: CHUNK_BYTES + 64 * 1024,
      maxBytes: MAX_CHUNK_REQUEST_BYTES + MULTIPART_EXTRA_BYTES,
    };
    await readMultipart(request, limits, async (file) => {
      const sha1 = file.fileName.toLowerCase();
      if (!/^[0-9a-f]{40}$/.test(sha1)) throw refusal(400, "the file name of a part must be the SHA-1 of its content");
      await chunks.put(sha1, await toContent(file)).catch((error: unknown) => {
        throw isChunkError(error, "ChunkMismatchError") ? refusal(400, error.message) : error;
      });
    });
  } finally {
    leave();
  }
}

async function toContent({ name, fileName, content }: MultipartFile): Promise<Buffer> {
  if (name === "file") {
    if (content.length > CHUNK_BYTES) throw tooLarge(fileName);
    return content;
  }
  if (name !== "file_gzip") throw refusal(400, `a part must be named file or file_gzip, not "${name.slice(0, 40)}"`);
  try {
    return await promisify(gunzip)(content, { maxOutputLength: CHUNK_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(fileName);
    throw refusal(400, `the chunk ${fileName.slice(0, 40)} is not gzip`);
  }
}

function tooLarge(fileName: string): Response {
  return refusal(413, `the chunk ${fileName.slice(0, 40)} is over ${CHUNK_BYTES} bytes`);
}
