import { type FileHandle, mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../durable-file.ts";
import { ignoreMissing } from "../../missing-file.ts";

const KEY = /^[0-9a-f]{8,128}$/;

/**
 * `<dir>/<first two characters>/<key>`: so a folder has some hundreds of files instead of tens of thousands.
 * @throws {RangeError} when the key is not lower-case hex, so that no key can name a path elsewhere.
 */
export function shardedPath(dir: string, key: string): { folder: string; path: string } {
  if (!KEY.test(key))
    throw new RangeError(`a key of 8 to 128 lower-case hex characters was expected, not "${key.slice(0, 40)}"`);
  const folder = join(dir, key.slice(0, 2));
  return { folder, path: join(folder, key) };
}

/** Every file below the folder's shards, with its size (bytes) and when it was last put (milliseconds since 1970). */
export async function* listSharded(dir: string): AsyncGenerator<{ path: string; bytes: number; putAt: number }> {
  for (const shard of await readdir(dir)) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue;
    yield* listFolder(join(dir, shard));
  }
}

export async function* listFolder(folder: string): AsyncGenerator<{ path: string; bytes: number; putAt: number }> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await ignoreMissing(stat(path));
    // Times are set in seconds as a float, which loses some nanoseconds.
    if (found) yield { path, bytes: found.size, putAt: Math.round(found.mtimeMs) };
  }
}

/** Makes the folder. If it is new, makes its name durable, too. */
export async function makeDurableFolder(folder: string, parent: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(parent);
}

/** Whether the file was there for the work to be done on it. */
export async function wasThere(work: Promise<void>): Promise<boolean> {
  return (await ignoreMissing(work.then(() => true))) ?? false;
}

/** Null when there is no such file. */
export function openForReading(path: string): Promise<FileHandle | null> {
  return ignoreMissing(open(path, "r"));
}
