import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unusableFolder } from "../domain/data-folder.ts";

/** Another process uses the folder. */
export class DataFolderInUseError extends Error {
  override readonly name = "DataFolderInUseError";
}

/**
 * Makes the folder, and keeps other processes out of it until `unlock`. The lock is the operating system's, on an empty
 * SQLite file: it ends with the process, however that ends, so nothing is ever left to clean up.
 *
 * @throws {DataFolderError} when the folder cannot be made or written.
 * @throws {DataFolderInUseError} when another process has it.
 */
export function lockDataFolder(folder: string): { unlock(): void } {
  const path = join(folder, "lock");
  try {
    // Events and password hashes are nobody else's business.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // SQLite says of any reason that it is unable to open the file.
    closeSync(openSync(path, "a"));
  } catch (error) {
    throw unusableFolder(folder, findReason(folder, error));
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

/** On a read-only disk, making a folder with its parents says that there is no such file. */
function findReason(folder: string, error: unknown): string {
  try {
    if (!existsSync(folder)) mkdirSync(folder);
  } catch (inner) {
    return toMessage(inner);
  }
  return toMessage(error);
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
