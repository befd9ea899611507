import { DAY_MS, HOUR_MS } from "../domain/time.ts";
/** Pieces of uploads that are still on their way, by the SHA-1 of their content. Chunks that nobody assembles are deleted after a day. */
export interface ChunkStore {
  /**
   * Idempotent; puts of the same chunk may overlap.
   * @throws {ChunkMismatchError} when the content has another SHA-1, and an error with the code `ENOSPC` when there is no
   * room; so does `assemble`.
   */
  put(sha1: string, content: Uint8Array): Promise<void>;
  /**
   * The chunks that are missing here, in the order of the request, without repeats. Chunks that are here count as put now, so that they
   * stay until the rest has come.
   */
  listMissing(sha1s: readonly string[]): Promise<string[]>;
  /**
   * Joins chunks to a file, calls back with its path, and removes it afterwards unless it was moved away. Once the
   * callback has resolved the chunks have `ASSEMBLED_CHUNK_LIFE_MS` left: uploads that begin alike share chunks, and
   * another one may be about to be assembled.
   * @throws {ChunkMismatchError} when the whole has not the checksum, {ChunkMissingError} when a chunk is not here,
   * {RangeError} when it is over `maxBytes`.
   */
  assemble<T>(
    upload: { checksum: string; chunks: readonly string[]; maxBytes: number },
    use: (path: string, bytes: number) => Promise<T>,
  ): Promise<T>;
  /** Removes what was put before the instant; gives how many. */
  dropBefore(instantMs: number): Promise<number>;
}

/** How long chunks are kept, so that an interrupted upload can continue the same day. */
export const CHUNK_LIFE_MS = DAY_MS;
/** Longer than an upload takes from its last question to its assembly. */
export const ASSEMBLED_CHUNK_LIFE_MS = HOUR_MS;

export class ChunkMismatchError extends Error {
  override name = "ChunkMismatchError";
}

export class ChunkMissingError extends Error {
  override name = "ChunkMissingError";
}

/** Compares the name, not the class: the store and the routes each have their own copy of the classes. */
export function isChunkError(error: unknown, name: "ChunkMismatchError" | "ChunkMissingError"): error is Error {
  return error instanceof Error && error.name === name;
}
