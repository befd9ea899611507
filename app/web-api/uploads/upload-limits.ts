import { MIB } from "../../domain/bytes.ts";

/** Bytes of an uncompressed chunk. It is a power of two, for sentry-cli up to 2.39.1. One chunk is held in memory per request. */
export const CHUNK_BYTES = 2 * MIB;
/** The most parts of one request. */
export const CHUNKS_PER_REQUEST = 64;
/** The most bytes of the body of one request. */
export const MAX_CHUNK_REQUEST_BYTES = 32 * MIB;
/** The most bytes of a joined upload: what Sentry accepts for an artifact bundle. */
export const MAX_UPLOAD_BYTES = 2048 * MIB;
export const MAX_CHUNKS_PER_UPLOAD = MAX_UPLOAD_BYTES / CHUNK_BYTES;
/** The number of requests that a tool sends at once. */
export const UPLOAD_CONCURRENCY = 8;

/** The most bytes of a file that is sent by itself, as older tools do: it is held in memory while it comes. Larger files come in chunks. */
export const MAX_RELEASE_FILE_BYTES = 32 * MIB;
