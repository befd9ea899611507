import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { unreachableFile } from "../domain/data-folder.ts";
import { BULK_PLACE } from "../journal/journals.ts";
import { dataPaths } from "./data-paths.ts";

const { R_OK, W_OK, X_OK } = constants;

/**
 * Checks that this user may read and write what is in the data folder. It comes before a store is opened, because the error of a store
 * names neither the file nor the remedy. Files of another user come from a command or a copy of root's. Uploads and snapshots are not
 * checked one by one, because there may be very many. Each is named when it is read.
 * @throws {DataFolderError} naming the first that is out of reach
 */
export function requireAccess(dataDir: string): void {
  const paths = dataPaths(dataDir);
  // Each after the one that it lies in. Files of payloads and days are not written to any more: new ones are made beside them.
  const written = [dataDir, paths.journal, join(paths.journal, BULK_PLACE.folder)];
  for (const folder of [...written, paths.payloads, paths.days]) {
    const ofFile = written.includes(folder) ? R_OK | W_OK : R_OK;
    for (const entry of listFolder(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) requireMode(dataDir, path, R_OK | W_OK | X_OK);
      else if (entry.isFile()) requireMode(dataDir, path, ofFile);
    }
  }
}

/**
 * For commands that make files of the folder again. What root makes, the server of another user cannot open.
 *
 * @throws a sentence for the operator.
 */
export function refuseRoot(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner === 0) return;
  throw new Error(
    `${dataDir} belongs to the user ${owner}, and that user's server could not open what root makes in it. ` +
      `Run the command as that user, with sudo -u '#${owner}'`,
  );
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A store that is missing, or something else in its place, is for others to tell.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

function requireMode(dataDir: string, path: string, mode: number): void {
  try {
    accessSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    const { uid: owner } = statSync(path);
    throw unreachableFile(dataDir, path, { code: code ?? "", owner, user: process.getuid?.() ?? null });
  }
}
