import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../../domain/bytes.ts";
import {
  ASSEMBLED_CHUNK_LIFE_MS,
  CHUNK_LIFE_MS,
  ChunkMismatchError,
  ChunkMissingError,
  type ChunkStore,
} from "../chunk-store.ts";
import { listFolder, listSharded, openForReading, shardedPath, wasThere } from "./sharded-files.ts";

export interface ChunkFilesOptions {
  /** Made when it is missing; on the file system of the blobs, so that an assembled file is moved and not copied. */
  dir: string;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Free bytes for the stores, which must be able to write accepted data. An upload that would leave less is refused. */
  minFreeDiskBytes?: number;
  /** Bytes that may still be written. Default: what is free on the disk. */
  freeBytes?: (dir: string) => Promise<number>;
}

/** Read, hashed and written at once while joining: small enough that others get their turn in between. */
const PIECE_BYTES = MIB;
/** Files whose time is set at once. */
const TOUCH_AT_ONCE = 32;

/**
 * Chunks as files, one each. A file's modification time is the time when the chunk was put. Only one process may have the folder open:
 * unfinished files of an earlier process are removed.
 */
export async function openChunkFiles({
  dir,
  now = Date.now,
  minFreeDiskBytes = 0,
  freeBytes = freeBytesOfDisk,
}: ChunkFilesOptions): Promise<ChunkStore> {
  const unfinished = join(dir, "unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  return new ChunkFiles(dir, { unfinished, now, minFreeDiskBytes, freeBytes });
}

async function freeBytesOfDisk(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

class ChunkFiles implements ChunkStore {
  readonly #dir: string;
  readonly #unfinished: string;
  readonly #now: () => number;
  readonly #minFreeDiskBytes: number;
  readonly #freeBytes: (dir: string) => Promise<number>;

  constructor(
    dir: string,
    { unfinished, now, minFreeDiskBytes, freeBytes }: Required<Omit<ChunkFilesOptions, "dir">> & { unfinished: string },
  ) {
    this.#dir = dir;
    this.#unfinished = unfinished;
    this.#now = now;
    this.#minFreeDiskBytes = minFreeDiskBytes;
    this.#freeBytes = freeBytes;
  }

  async put(sha1: string, content: Uint8Array): Promise<void> {
    const { folder, path } = shardedPath(this.#dir, sha1);
    const actual = createHash("sha1").update(content).digest("hex");
    if (actual !== sha1) throw new ChunkMismatchError(`the chunk ${sha1} has the SHA-1 ${actual}`);
    if (await this.#touch(path, this.#now())) return;
    await this.#requireRoom(content.length);
    await mkdir(folder, { recursive: true });
    const draft = this.#draftPath(sha1);
    try {
      const handle = await open(draft, "wx");
      try {
        await handle.writeFile(content);
        // The name must never stand for less than the whole. That the name itself is there after a power cut is not
        // needed: the chunk is missing then, and sent again.
        await handle.sync();
      } finally {
        await handle.close();
      }
      const at = this.#now() / 1000;
      await utimes(draft, at, at);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async listMissing(sha1s: readonly string[]): Promise<string[]> {
    const wanted = [...new Set(sha1s)];
    const isHere = await this.#touchAll(wanted, this.#now());
    return wanted.filter((_, index) => !isHere[index]);
  }

  async assemble<T>(
    { checksum, chunks, maxBytes }: { checksum: string; chunks: readonly string[]; maxBytes: number },
    use: (path: string, bytes: number) => Promise<T>,
  ): Promise<T> {
    const path = this.#draftPath(checksum);
    try {
      const bytes = await this.#join(path, { checksum, chunks, maxBytes });
      const result = await use(path, bytes);
      await this.#touchAll([...new Set(chunks)], this.#now() - CHUNK_LIFE_MS + ASSEMBLED_CHUNK_LIFE_MS);
      return result;
    } finally {
      await rm(path, { force: true });
    }
  }

  async dropBefore(instantMs: number): Promise<number> {
    let count = 0;
    for await (const { path, putAt } of listSharded(this.#dir)) {
      if (putAt >= instantMs) continue;
      await rm(path, { force: true });
      count += 1;
    }
    // Unfinished files are younger than any chunk that is dropped.
    for await (const { path, putAt } of listFolder(this.#unfinished)) {
      if (putAt < instantMs) await rm(path, { force: true });
    }
    return count;
  }

  async #join(
    path: string,
    { checksum, chunks, maxBytes }: { checksum: string; chunks: readonly string[]; maxBytes: number },
  ): Promise<number> {
    const hash = createHash("sha1");
    const piece = new Uint8Array(PIECE_BYTES);
    let bytes = 0;
    const target = await open(path, "wx");
    try {
      for (const sha1 of chunks) {
        const chunk = await openForReading(shardedPath(this.#dir, sha1).path);
        if (!chunk) throw new ChunkMissingError(`the chunk ${sha1} is not here`);
        try {
          await this.#requireRoom((await chunk.stat()).size);
          for (;;) {
            const { bytesRead } = await chunk.read(piece, 0, PIECE_BYTES, null);
            if (bytesRead === 0) break;
            bytes += bytesRead;
            if (bytes > maxBytes) throw new RangeError(`the file is over ${maxBytes} bytes`);
            const part = piece.subarray(0, bytesRead);
            hash.update(part);
            await target.writeFile(part);
          }
        } finally {
          await chunk.close();
        }
      }
    } finally {
      await target.close();
    }
    const actual = hash.digest("hex");
    if (actual !== checksum)
      throw new ChunkMismatchError(`the chunks make a file with the SHA-1 ${actual}, not ${checksum}`);
    return bytes;
  }

  async #requireRoom(bytes: number): Promise<void> {
    if ((await this.#freeBytes(this.#dir)) - bytes >= this.#minFreeDiskBytes) return;
    throw Object.assign(new Error("there is no room for uploads on the disk"), { code: "ENOSPC" });
  }

  /** A path that differs from the chunk's own, even when two uploads of it come at once. */
  #draftPath(sha1: string): string {
    return join(this.#unfinished, `${sha1}-${randomBytes(6).toString("hex")}`);
  }

  async #touchAll(sha1s: readonly string[], at: number): Promise<boolean[]> {
    const found: boolean[] = [];
    for (let start = 0; start < sha1s.length; start += TOUCH_AT_ONCE) {
      const some = sha1s.slice(start, start + TOUCH_AT_ONCE);
      found.push(...(await Promise.all(some.map((sha1) => this.#touch(shardedPath(this.#dir, sha1).path, at)))));
    }
    return found;
  }

  /** Sets the time when the file was put. False when there is none. */
  #touch(path: string, at: number): Promise<boolean> {
    return wasThere(utimes(path, at / 1000, at / 1000));
  }
}
