import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { syncFolder } from "../../durable-file.ts";
import type { BlobReader, BlobStore } from "../blob-store.ts";
import { listSharded, makeDurableFolder, openForReading, shardedPath, wasThere } from "./sharded-files.ts";

/**
 * Blobs as files, one each. Any number of threads may have the same folder open.
 * @param options `dir` is made when it is missing.
 */
export async function openBlobFiles(options: { dir: string }): Promise<BlobStore> {
  await mkdir(options.dir, { recursive: true });
  return new BlobFiles(options.dir);
}

class BlobFiles implements BlobStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async putFile(key: string, source: string): Promise<void> {
    const { folder, path } = shardedPath(this.#dir, key);
    if (await wasThere(access(path))) {
      await rm(source, { force: true });
      return;
    }
    await makeDurableFolder(folder, this.#dir);
    await syncFile(source);
    await rename(source, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EXDEV") throw error;
      await moveAcross(source, path);
    });
    await syncFolder(folder);
  }

  async open(key: string): Promise<BlobReader | null> {
    const handle = await openForReading(shardedPath(this.#dir, key).path);
    if (!handle) return null;
    try {
      return new BlobFileReader(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(shardedPath(this.#dir, key).path, { force: true });
  }

  async bytesOnDisk(): Promise<number> {
    let sum = 0;
    for await (const { bytes } of listSharded(this.#dir)) sum += bytes;
    return sum;
  }
}

class BlobFileReader implements BlobReader {
  readonly bytes: number;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, bytes: number) {
    this.#handle = handle;
    this.bytes = bytes;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.bytes - offset));
    const buffer = new Uint8Array(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#handle.read(buffer, filled, wanted - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled === wanted ? buffer : buffer.subarray(0, filled);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Moves a file from another file system. It makes a copy beside the target first, so that the name always means a whole file. */
async function moveAcross(source: string, path: string): Promise<void> {
  const copy = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await copyFile(source, copy, constants.COPYFILE_EXCL);
    await syncFile(copy);
    await rename(copy, path);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await rm(source, { force: true });
}
