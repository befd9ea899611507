import { MIB } from "../../domain/bytes.ts";

/** Bytes of a chunk, uncompressed: a power of two, for sentry-cli up to 2.39.1. One is held in memory per request. */
export const CHUNK_BYTES = 2 * MIB;
/** Parts of one request. */
export const CHUNKS_PER_REQUEST = 64;
/** Bytes of one request's body. */
export const MAX_CHUNK_REQUEST_BYTES = 32 * MIB;
/** Bytes of an upload, joined. Source: what Sentry accepts for an artifact bundle. */
export const MAX_UPLOAD_BYTES = 2048 * MIB;
export const MAX_CHUNKS_PER_UPLOAD = MAX_UPLOAD_BYTES / CHUNK_BYTES;
/** Requests that a tool sends at once. */
export const UPLOAD_CONCURRENCY = 8;

/** Bytes of one file that comes by itself, as older tools send it: it is held in memory while it comes. Larger ones come in chunks. */
export const MAX_RELEASE_FILE_BYTES = 32 * MIB;
