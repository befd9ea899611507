import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Makes the folder, and keeps other processes out of it until `unlock`. The lock is the operating system's, on an empty
 * SQLite file: it ends with the process, however that ends, so nothing is ever left to clean up.
 *
 * @throws when another process has it, or the folder cannot be written.
 */
export function lockDataFolder(folder: string): { unlock(): void } {
  // Events and password hashes are nobody else's business.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, "lock"));
  try {
    database.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive; commit");
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (!isBusy) throw error;
    throw new Error(`another Culprit runs on the data in ${folder}: stop it first, or set DATA_DIR`, { cause: error });
  }
  return { unlock: () => database.close() };
}
