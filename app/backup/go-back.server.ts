import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { unclaimDataFolder } from "../data-folder/claim-data-folder.server.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { lockDataFolder } from "../data-folder/lock-data-folder.server.ts";
import { requireFolder } from "../data-folder/require-folder.server.ts";
import { syncFolder } from "../durable-file.ts";
import { ignoreMissing } from "../missing-file.ts";
import { eventDatabaseFiles } from "../stores/duckdb/database-files.ts";
import { parseDayFileName } from "../stores/duckdb/day-file.ts";
import { copyBytes, hashFile, makeFolderOf } from "./copy-file.server.ts";
import { findBackup, type Manifest, readManifest, toBackupName } from "./manifest.server.ts";
import { hasMovedDays } from "./read-events-copy.server.ts";

export interface GoneBack {
  snapshot: string;
  manifest: Manifest;
  /** The folder of the databases that were in use until now. */
  left: string;
  /** Files of days that the version before cannot read. */
  leftDays: string[];
}

interface GoBackOptions {
  dataDir: string;
  /** A name in `snapshots/`; the newest, if not given. */
  snapshot?: string;
  /** Goes back although the version before cannot read files of days that were moved since. */
  leavesDays?: boolean;
}

/**
 * Replaces the databases by those of a snapshot from before an upgrade, and keeps the replaced ones beside the snapshot. Records that were
 * accepted but not stored at the upgrade go back into the journal; its other records stay. Data that was stored since then is only in the
 * replaced databases. The process may be killed: the server does not start until the work is done, and it can be run again.
 *
 * @throws a sentence for the operator if a server runs, the snapshot is damaged, or days would be out of reach.
 */
export async function goBack({ dataDir, snapshot, leavesDays = false }: GoBackOptions): Promise<GoneBack> {
  const folder = resolve(dataDir);
  const paths = dataPaths(folder);
  requireFolder(folder, "set DATA_DIR");
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
    const leftDays = await listUnreadableDays(paths.days, join(source, "events.duckdb"));
    if (leftDays.length > 0 && !leavesDays) throw new Error(sayUnreadableDays(leftDays, manifest.version));
    for (const { path, bytes } of manifest.files) {
      if (!path.startsWith("journal/")) await copyTo(join(source, path), `${join(folder, path)}.new`, bytes);
      else if (!(await ignoreMissing(stat(join(folder, path)))))
        await copyTo(join(source, path), join(folder, path), bytes);
    }
    const left = join(paths.snapshots, `left-${toBackupName(new Date())}`);
    await mkdir(left, { mode: 0o700 });
    for (const path of [paths.state, `${paths.state}-wal`, `${paths.state}-shm`, ...eventDatabaseFiles(paths.events)])
      await ignoreMissing(rename(path, join(left, basename(path))));
    for (const { path } of manifest.files)
      if (!path.startsWith("journal/")) await rename(`${join(folder, path)}.new`, join(folder, path));
    await unclaimDataFolder(paths);
    // The note of this version about the schemas is wrong for the databases that the next start finds.
    await rm(paths.schema, { force: true });
    await syncFolder(folder);
    return { snapshot: source, manifest, left, leftDays };
  } finally {
    lock.unlock();
  }
}

/** Names of the files of days, when the version that made the event database has none. */
async function listUnreadableDays(dir: string, eventsPath: string): Promise<string[]> {
  const names = ((await ignoreMissing(readdir(dir))) ?? []).filter((name) => parseDayFileName(name) !== null);
  const canRead = names.length === 0 || ((await ignoreMissing(stat(eventsPath))) && (await hasMovedDays(eventsPath)));
  return canRead ? [] : names.sort();
}

function sayUnreadableDays(names: readonly string[], version: string): string {
  const [first, last] = [names[0]?.slice(0, 10), names.at(-1)?.slice(0, 10)];
  const when = first === last ? first : `${first} to ${last}`;
  return (
    `spans and logs of ${when} were moved into days/ since the upgrade, and ${version} does not read that folder: nothing is changed. ` +
    `It would show what it had itself stored of these days, not what came since, and a rebuild by it would bring back none of them. ` +
    "The files stay, and the next upgrade makes the event database again with them. To go back so, add --leave-days. " +
    "To have these days whole, stay with this version, or restore a backup from before the upgrade into another folder"
  );
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
