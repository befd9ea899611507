import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { dataPaths } from "../data-folder/data-paths.ts";
import { lockDataFolder } from "../data-folder/lock-data-folder.server.ts";
import { syncFolder } from "../durable-file.ts";
import { ignoreMissing } from "../stores/files/sharded-files.ts";
import { copyBytes, hashFile, makeFolderOf } from "./copy-file.server.ts";
import { findBackup, type Manifest, readManifest, toBackupName } from "./manifest.server.ts";

export interface GoneBack {
  snapshot: string;
  manifest: Manifest;
  /** Where the databases are that were in use until now. */
  left: string;
}

const DATABASES = ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "events.duckdb", "events.duckdb.wal"];

/**
 * Puts the databases of a snapshot from before an upgrade in the place of those that are there, which are kept beside it. Records that
 * were accepted and not stored at the upgrade are put back into the journal; the others in it stay. What was stored since is in the
 * databases that were left. It may be killed: until it is done the server does not start, and it can be run again.
 *
 * @param snapshot a name in `snapshots/`; the newest, if not given.
 * @throws a sentence for the operator, when a server runs or the snapshot is damaged.
 */
export async function goBack({ dataDir, snapshot }: { dataDir: string; snapshot?: string }): Promise<GoneBack> {
  const folder = resolve(dataDir);
  const paths = dataPaths(folder);
  if (!(await ignoreMissing(stat(paths.snapshots)))) throw new Error(`there is no snapshot of an upgrade in ${folder}`);
  const lock = lockDataFolder(folder);
  try {
    const source = await findBackup(snapshot ? join(paths.snapshots, snapshot) : paths.snapshots);
    const manifest = await readManifest(source);
    if (!manifest) throw new Error(`${source} has no manifest any more`);
    for (const { path, bytes, sha256 } of manifest.files) {
      const found = await ignoreMissing(hashFile(join(source, path), bytes));
      if (found?.sha256 !== sha256) throw new Error(`${join(source, path)} is damaged: nothing is changed`);
    }
    for (const { path, bytes } of manifest.files) {
      if (!path.startsWith("journal/")) await copyTo(join(source, path), `${join(folder, path)}.new`, bytes);
      else if (!(await ignoreMissing(stat(join(folder, path)))))
        await copyTo(join(source, path), join(folder, path), bytes);
    }
    const left = join(paths.snapshots, `left-${toBackupName(new Date())}`);
    await mkdir(left, { mode: 0o700 });
    for (const name of DATABASES) await ignoreMissing(rename(join(folder, name), join(left, name)));
    for (const { path } of manifest.files)
      if (!path.startsWith("journal/")) await rename(`${join(folder, path)}.new`, join(folder, path));
    // What the next start finds is not what this version has noted.
    await rm(paths.schema, { force: true });
    await syncFolder(folder);
    return { snapshot: source, manifest, left };
  } finally {
    lock.unlock();
  }
}

async function copyTo(source: string, target: string, bytes: number): Promise<void> {
  await makeFolderOf(target);
  await rm(target, { force: true });
  const file = await open(source, "r");
  try {
    await copyBytes(file, target, bytes);
  } finally {
    await file.close();
  }
}
