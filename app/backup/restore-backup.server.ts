import { existsSync } from "node:fs";
import { open, readdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { dataPaths } from "../data-folder/data-paths.ts";
import { lockDataFolder } from "../data-folder/lock-data-folder.server.ts";
import { requireFolder } from "../data-folder/require-folder.server.ts";
import { unusableTarget } from "../domain/data-folder.ts";
import { isFullDisk } from "../domain/full-disk.ts";
import { syncFolder, syncFolders } from "../durable-file.ts";
import { ignoreMissing } from "../missing-file.ts";
import { copyBytes, makeFolderOf } from "./copy-file.server.ts";
import { isInside } from "./is-inside.ts";
import { findBackup, type Manifest, type ManifestFile, readManifest } from "./manifest.server.ts";

export interface RestoreReport {
  backup: string;
  manifest: Manifest;
  /** Files that are not what the manifest says. They are restored as they are. */
  damaged: string[];
}

/** If these are missing or damaged, the issue numbers and positions would not fit. */
const ESSENTIAL = /^(state\.sqlite|journal\/.*)$/;
const STATE = "state.sqlite";
/** Files that may be in the target: those of a new disk, and our lock. */
const IGNORED = new Set(["lost+found", "lock"]);

/**
 * Copies a backup into an empty folder, and compares every file with its checksum on the way. The state comes last, and a server
 * refuses a folder without it: a restore that was cut off is never taken for a whole one.
 *
 * @param path a backup, or the folder of several: then the newest.
 * @throws a sentence for the operator.
 */
export async function restoreBackup({ path, dataDir }: { path: string; dataDir: string }): Promise<RestoreReport> {
  requireFolder(resolve(path), "name a backup");
  const backup = await findBackup(resolve(path));
  const manifest = await readManifest(backup);
  if (!manifest) throw new Error(`${backup} has no manifest any more`);
  const target = resolve(dataDir);
  // Deleting the backup would delete the target, too.
  if (isInside(target, backup)) throw new Error(`${target} lies in the backup ${backup}: name another folder`);
  if (existsSync(target)) requireFolder(target, "name another folder");
  const names = existsSync(target) ? await readdir(target) : [];
  if (names.some((name) => !IGNORED.has(name))) {
    throw new Error(
      `${target} is not empty, and a restore never writes over data: name another folder, or move this one away. ` +
        "If an earlier restore was cut off, delete what it has left",
    );
  }
  const lock = lockDataFolder(target, unusableTarget);
  try {
    const damaged: string[] = [];
    const state = manifest.files.find((file) => file.path === STATE);
    if (!state) throw new Error(`${backup} holds no ${STATE}`);
    for (const file of manifest.files) {
      if (file !== state && !(await restoreFile(backup, file, join(target, file.path)))) damaged.push(file.path);
    }
    const { state: statePath } = dataPaths(target);
    if (!(await restoreFile(backup, state, `${statePath}.new`))) damaged.push(STATE);
    const essential = damaged.filter((name) => ESSENTIAL.test(name));
    if (essential.length > 0)
      throw new Error(`${backup} is damaged (${essential.join(", ")}), and cannot be used: restore an earlier one`);
    await syncFolders(target);
    await rename(`${statePath}.new`, statePath);
    await syncFolder(target);
    return { backup, manifest, damaged };
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    throw new Error(
      `the disk of ${target} has no room for this backup: ${error.message}. ` +
        "A server does not start on what is there: delete it, and restore into a folder on another disk",
      { cause: error },
    );
  } finally {
    lock.unlock();
  }
}

/** Whether the file is what the manifest says. */
async function restoreFile(backup: string, file: ManifestFile, target: string): Promise<boolean> {
  await makeFolderOf(target);
  const source = await ignoreMissing(open(join(backup, file.path), "r"));
  if (!source) return false;
  try {
    const copied = await copyBytes(source, target, file.bytes);
    return copied.bytes === file.bytes && copied.sha256 === file.sha256;
  } finally {
    await source.close();
  }
}
