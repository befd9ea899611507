import { accessSync, constants, type Stats, statSync } from "node:fs";

/**
 * For commands, before they look into a folder that somebody has named.
 *
 * @param remedy what follows when there is none, like `set DATA_DIR`
 * @throws a sentence for the operator when it is missing, or something else than a folder, or one that this user may not read.
 */
export function requireFolder(folder: string, remedy: string): void {
  const found = lookAt(folder);
  if (!found) throw new Error(`there is no folder ${folder}: ${remedy}`);
  if (!found.isDirectory()) throw new Error(`${folder} is a file, not a folder: ${remedy}`);
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw unreadable(folder, error, found.uid);
  }
}

/** Undefined when there is nothing, or when what it lies in is no folder. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error, null);
  }
}

/** @param owner null: of a folder that it lies in, which says no */
function unreadable(folder: string, error: unknown, owner: number | null): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== "EACCES" && code !== "EPERM") return new Error(`${folder} cannot be read: ${message}`);
  if (owner === null || owner === process.getuid?.())
    return new Error(`this user may not read ${folder}: run the command as the user of the server`);
  return new Error(
    `this user may not read ${folder}, which belongs to the user ${owner}: run the command as that user, with sudo -u '#${owner}'`,
  );
}
