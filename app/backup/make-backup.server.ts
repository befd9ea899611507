import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { reachServer } from "../control/reach-server.server.ts";
import { requireStateFile } from "../control/require-state-file.server.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { DataFolderInUseError, lockDataFolder } from "../data-folder/lock-data-folder.server.ts";
import { unusableTarget } from "../domain/data-folder.ts";
import { isFullDisk } from "../domain/full-disk.ts";
import { syncFolder, syncFolders } from "../durable-file.ts";
import { ignoreMissing } from "../missing-file.ts";
import { eventDatabaseFiles } from "../stores/duckdb/database-files.ts";
import { parseDayFileName } from "../stores/duckdb/day-file.ts";
import { parseFileName } from "../stores/files/payload-file-names.ts";
import { copyBytes, finishCopy, hashFile, makeFolderOf, toFileState, tryClone, tryLink } from "./copy-file.server.ts";
import { type HeldFolder, holdFolder } from "./hold-folder.server.ts";
import { isInside } from "./is-inside.ts";
import { JournalSnapshot } from "./journal-copy.server.ts";
import { isLinkable, listFiles } from "./list-files.server.ts";
import {
  type FileState,
  listBackups,
  listUnfinished,
  type Manifest,
  type ManifestFile,
  readManifest,
  toBackupName,
  unfinishedName,
  writeManifest,
} from "./manifest.server.ts";
import { readEventsCopy } from "./read-events-copy.server.ts";
import { scanJournals } from "./scan-journal.server.ts";
import { StateSnapshot } from "./state-copy.server.ts";

export interface BackupOptions {
  dataDir: string;
  /** Backups are made in it, each in a folder that is named by its time. */
  folder: string;
  /** The number of backups to keep. Older ones are deleted once a new one is whole. */
  keep: number;
  version: string;
  now: () => Date;
  /** Called when the contents of the backup are fixed. Nothing has to wait for the rest. */
  onTaken?: () => void;
}

export interface BackupReport {
  path: string;
  manifest: Manifest;
  /** Bytes that were copied, and bytes that the last backup or the data folder had already, and that were linked. */
  copiedBytes: number;
  linkedBytes: number;
  /** How long the digest waited. Events were accepted during that time. */
  pauseMs: number;
  deleted: string[];
}

/**
 * Makes a backup of a data folder, while a server runs on it or not. Everything that was accepted before it began is in it: stored, or
 * in the journal. It may be killed anywhere: a backup gets its name when it is whole, and files of earlier backups never change.
 *
 * @throws a sentence for the operator.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupReport> {
  const dataDir = resolve(options.dataDir);
  const folder = resolve(options.folder);
  refuseOverlap(dataDir, folder);
  const reached = await reachServer(dataDir);
  try {
    await requireStateFile(dataPaths(dataDir).state);
    const lock = lockBackups(folder);
    try {
      for (const name of await listUnfinished(folder)) await rm(join(folder, name), { recursive: true, force: true });
      return await new Backup(dataDir, folder, options).run((snapshot) => holdFolder(reached, snapshot));
    } finally {
      lock.unlock();
    }
  } finally {
    if (reached.isRunning) reached.server.close();
    else reached.unlock();
  }
}

class Backup {
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #options: BackupOptions;
  readonly #name: string;
  readonly #target: string;
  #previous: { path: string; files: ReadonlyMap<string, ManifestFile> } | null = null;
  #copiedBytes = 0;
  #linkedBytes = 0;

  constructor(dataDir: string, folder: string, options: BackupOptions) {
    this.#dataDir = dataDir;
    this.#folder = folder;
    this.#options = options;
    this.#name = toBackupName(options.now());
    this.#target = join(folder, unfinishedName(this.#name));
  }

  async run(hold: (snapshot: () => Promise<void>) => Promise<HeldFolder>): Promise<BackupReport> {
    const paths = dataPaths(this.#dataDir);
    const state = new StateSnapshot(paths.state);
    const journal = new JournalSnapshot(paths.journal);
    try {
      const journals = await journal.find();
      let takenAt = this.#options.now();
      let pauseMs = 0;
      let events: HeldFile[] = [];
      let payloads: HeldFile[] = [];
      let days: HeldFile[] = [];
      const held = await hold(async () => {
        const startedAt = performance.now();
        // The order matters: a payload names the issue of its event, which the state must know, and the journal must have the
        // records of the state.
        payloads = await findHeld(this.#dataDir, await listPayloadFiles(paths.payloads));
        days = await findHeld(this.#dataDir, await listDayFiles(paths.days));
        state.take();
        await journal.take();
        events = await findHeld(
          this.#dataDir,
          eventDatabaseFiles(paths.events).map((path) => relative(this.#dataDir, path)),
        );
        takenAt = this.#options.now();
        pauseMs = performance.now() - startedAt;
      });
      this.#options.onTaken?.();
      const folderId = state.folderId();
      if (folderId === null) throw new Error(`${paths.state} has no id: start the server once, and try again`);
      await this.#findPrevious(folderId);
      await mkdir(this.#target, { mode: 0o700 });
      const files: ManifestFile[] = [];
      for (const { path, bytes } of events) files.push(await this.#copy(path, bytes));
      await held.release();
      files.push(...(await journal.copyTo(this.#target)));
      const statePositions = new Map(journals.map(({ id }) => [id, state.appliedSequence(id)]));
      files.push(await this.#copyState(state));
      for (const { path, bytes } of payloads) {
        // Retention may have dropped the day meanwhile.
        const file = await ignoreMissing(this.#copy(path, bytes));
        if (file) files.push(file);
      }
      // No other file has their rows. A missing file was rewritten under another name, or is too old.
      for (const { path, bytes } of days) {
        const file = await ignoreMissing(this.#copy(path, bytes));
        if (!file) throw new Error(`${path} went meanwhile, because something was deleted or expired: try again`);
        files.push(file);
      }
      if (await areReplaced(this.#dataDir, payloads))
        throw new Error("payload files were written again meanwhile, because something was deleted: try again");
      for await (const path of listFiles(this.#dataDir)) {
        const file = await ignoreMissing(this.#copy(path));
        if (file) files.push(file);
      }
      const [first, bulk] = await this.#verify({ folderId, statePositions, hasEvents: events.length > 0 });
      if (first === undefined) throw new Error("the copy of the journal went meanwhile: try again");
      const manifest: Manifest = {
        format: 1,
        takenAt: takenAt.toISOString(),
        version: this.#options.version,
        folderId,
        ...first,
        ...(bulk && { bulk }),
        files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
      };
      await this.#finish(manifest);
      const deleted = await this.#deleteOld();
      return {
        path: join(this.#folder, this.#name),
        manifest,
        copiedBytes: this.#copiedBytes,
        linkedBytes: this.#linkedBytes,
        pauseMs,
        deleted,
      };
    } catch (error) {
      await rm(this.#target, { recursive: true, force: true });
      throw isFullDisk(error) ? sayFull(this.#folder, error) : error;
    } finally {
      state.close();
      await journal.close();
    }
  }

  async #findPrevious(folderId: string): Promise<void> {
    for (const name of await listBackups(this.#folder)) {
      const path = join(this.#folder, name);
      const manifest = await readManifest(path);
      if (!manifest) continue;
      if (manifest.folderId !== folderId) {
        throw new Error(
          `${this.#folder} holds backups of data folder ${manifest.folderId}, and ${this.#dataDir} is ${folderId}: ` +
            "back it up into another folder",
        );
      }
      this.#previous = { path, files: new Map(manifest.files.map((file) => [file.path, file])) };
      return;
    }
  }

  /** @param bytes that belong to the backup; all that are there now, if not given */
  async #copy(path: string, bytes?: number): Promise<ManifestFile> {
    const source = join(this.#dataDir, path);
    const target = join(this.#target, path);
    await makeFolderOf(target);
    const found = await stat(source, { bigint: true });
    const state = toFileState(found);
    const wanted = bytes ?? state.bytes;
    const known = this.#previous?.files.get(path);
    if (known && this.#previous && known.bytes === wanted && isSame(known.source, state)) {
      if (await ignoreMissing(tryLink(join(this.#previous.path, path), target))) {
        this.#linkedBytes += wanted;
        return { ...known };
      }
    }
    if (await tryClone(source, target)) {
      return { path, ...(await finishCopy(target, wanted)), source: state };
    }
    if (isLinkable(path) && (await tryLink(source, target))) {
      this.#linkedBytes += wanted;
      return { path, ...(await hashFile(target, wanted)), source: state };
    }
    const file = await open(source, "r");
    try {
      const copied = await copyBytes(file, target, wanted);
      this.#copiedBytes += copied.bytes;
      // A file that changed during the copy is copied again next time.
      return { path, ...copied, source: state };
    } finally {
      await file.close();
    }
  }

  async #copyState(state: StateSnapshot): Promise<ManifestFile> {
    const path = "state.sqlite";
    const target = join(this.#target, path);
    await state.copyTo(target);
    const { bytes, sha256 } = await hashFile(target, Number.MAX_SAFE_INTEGER);
    this.#copiedBytes += bytes;
    return { path, bytes, sha256, source: null };
  }

  /** Opens the copies. Returns the position of each journal. @throws if the parts do not fit together. */
  async #verify(expected: {
    folderId: string;
    statePositions: ReadonlyMap<string, number>;
    hasEvents: boolean;
  }): Promise<Array<Pick<Manifest, "journalId" | "positions">>> {
    const journals = await scanJournals(join(this.#target, "journal"));
    const events = expected.hasEvents
      ? await readEventsCopy(join(this.#target, "events.duckdb"), {
          tempDir: join(this.#target, "events.tmp"),
        })
      : null;
    await rm(join(this.#target, "events.tmp"), { recursive: true, force: true });
    if (events?.folderId && events.folderId !== expected.folderId)
      throw new Error(
        `events.duckdb belongs to data folder ${events.folderId}, and state.sqlite to ${expected.folderId}`,
      );
    return journals.map(({ id, firstSequence, from, upTo }) => {
      const state = Math.max(firstSequence, expected.statePositions.get(id) ?? 0);
      const positions = {
        state,
        events: Math.max(firstSequence, events?.positions.get(id) ?? 0),
        journal: Math.max(upTo, state),
      };
      if (positions.events > positions.state)
        throw new Error("the copy of the event database is newer than that of the state: try again");
      const wanted = Math.min(positions.events, positions.state);
      if (events && from > wanted)
        throw new Error(
          `the journal begins with record ${from}, and the copies of the databases want it from ` +
            `${wanted} on: try again, and run "npm run check" (or culprit check) if it stays so`,
        );
      return { journalId: id, positions };
    });
  }

  async #finish(manifest: Manifest): Promise<void> {
    await syncFolders(this.#target);
    await writeManifest(this.#target, manifest);
    await rename(this.#target, join(this.#folder, this.#name));
    await syncFolder(this.#folder);
  }

  async #deleteOld(): Promise<string[]> {
    const old = (await listBackups(this.#folder)).slice(this.#options.keep);
    for (const name of old) {
      // Has a name that the next backup treats as unfinished, so that half a backup never has the name of a whole one.
      const unfinished = join(this.#folder, unfinishedName(name));
      await rename(join(this.#folder, name), unfinished);
      await rm(unfinished, { recursive: true, force: true });
    }
    return old;
  }
}

function sayFull(folder: string, cause: Error): Error {
  return new Error(
    `the disk of ${folder} has no room for this backup, and nothing of it is kept: ${cause.message}. ` +
      "Earlier backups are as they were. Make room, keep fewer of them (--keep), or name a folder on another disk",
    { cause },
  );
}

interface HeldFile {
  /** Path below the data folder. */
  path: string;
  bytes: number;
  inode: number;
}

async function findHeld(dataDir: string, paths: readonly string[]): Promise<HeldFile[]> {
  const files: HeldFile[] = [];
  for (const path of paths) {
    const found = await ignoreMissing(stat(join(dataDir, path)));
    if (found) files.push({ path, bytes: found.size, inode: found.ino });
  }
  return files;
}

/** Whether one of the files is another one now, under the same name. */
async function areReplaced(dataDir: string, files: readonly HeldFile[]): Promise<boolean> {
  for (const { path, inode } of files) {
    const found = await ignoreMissing(stat(join(dataDir, path)));
    if (found && found.ino !== inode) return true;
  }
  return false;
}

async function listPayloadFiles(dir: string): Promise<string[]> {
  const names = (await ignoreMissing(readdir(dir))) ?? [];
  return names.filter((name) => parseFileName(name) !== null).map((name) => `payloads/${name}`);
}

async function listDayFiles(dir: string): Promise<string[]> {
  const names = (await ignoreMissing(readdir(dir))) ?? [];
  return names.filter((name) => parseDayFileName(name) !== null).map((name) => `days/${name}`);
}

function isSame(one: FileState | null, other: FileState): boolean {
  return one?.inode === other.inode && one.modifiedNs === other.modifiedNs && one.bytes === other.bytes;
}

function lockBackups(folder: string): { unlock(): void } {
  try {
    return lockDataFolder(folder, unusableTarget);
  } catch (error) {
    if (error instanceof DataFolderInUseError)
      throw new Error(`another backup into ${folder} is being made, or a server runs on it`, { cause: error });
    throw error;
  }
}

function refuseOverlap(dataDir: string, folder: string): void {
  if (isInside(folder, dataDir))
    throw new Error(`${folder} lies in the data folder ${dataDir}: name a folder outside of it`);
  if (isInside(dataDir, folder)) throw new Error(`the data folder ${dataDir} lies in ${folder}: name another folder`);
}
