import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unusableFolder } from "../domain/data-folder.ts";

/** Another process uses the folder. */
export class DataFolderInUseError extends Error {
  override readonly name = "DataFolderInUseError";
}

/** It stays when the process has ended, and keeps nobody out then. */
export function lockPath(folder: string): string {
  return join(folder, "lock");
}

/**
 * Makes the folder, and keeps other processes out of it until `unlock`. The lock is the operating system's, on an empty
 * SQLite file: it ends with the process, however that ends, so nothing is ever left to clean up.
 *
 * @param sayUnusable what is thrown when the folder cannot be made or written
 * @throws {DataFolderError} then, if nothing else is given.
 * @throws {DataFolderInUseError} when another process has it.
 */
export function lockDataFolder(
  folder: string,
  sayUnusable: (folder: string, reason: string) => Error = unusableFolder,
): { unlock(): void } {
  const path = lockPath(folder);
  try {
    makeFolder(folder);
    // SQLite says of any reason that it is unable to open the file.
    closeSync(openSync(path, "a"));
  } catch (error) {
    throw sayUnusable(folder, error instanceof Error ? error.message : String(error));
  }
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive; commit");
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (!isBusy) throw error;
    throw new DataFolderInUseError(`another Culprit runs on the data in ${folder}: stop it first, or set DATA_DIR`, {
      cause: error,
    });
  }
  return { unlock: () => database.close() };
}

/**
 * With its parents. Node's own `recursive` tries for ever where a folder takes no new names (`/proc`), and says of a read-only
 * disk that there is no such file.
 */
function makeFolder(folder: string): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    // Events and password hashes are nobody else's business.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error;
  }
}
