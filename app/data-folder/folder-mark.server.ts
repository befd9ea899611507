import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { replaceFile, syncFolder } from "../durable-file.ts";
import { ignoreMissing } from "../missing-file.ts";

/** The file in a folder of a store that holds the id of its data folder. */
const MARK = "data-folder";

/** The state of a store's folder. `id` is null if no mark can be read. */
export interface StoreFolder {
  isThere: boolean;
  /** Something is in it that a store has written; a folder that only waits for its first file has nothing. */
  hasFiles: boolean;
  id: string | null;
}

/** @param isOwnFile whether a name in the folder is one that the store gives to its files */
export async function readStoreFolder(dir: string, isOwnFile: (name: string) => boolean): Promise<StoreFolder> {
  const names = await ignoreMissing(readdir(dir));
  if (names === null) return { isThere: false, hasFiles: false, id: null };
  const text = names.includes(MARK) ? (await readFile(join(dir, MARK), "utf8")).trim() : "";
  return { isThere: true, hasFiles: names.some(isOwnFile), id: /^[0-9a-f]{32}$/.test(text) ? text : null };
}

/** Makes the folder where it is missing. Durable when it resolves; before that, there is no mark at all. */
export async function writeFolderMark(dir: string, id: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await syncFolder(dirname(dir));
  await replaceFile(join(dir, MARK), `${id}\n`);
  await syncFolder(dir);
}

/** Afterwards the folder is as a version that knew no marks has left it. */
export async function removeFolderMark(dir: string): Promise<void> {
  await rm(join(dir, MARK), { force: true });
}
