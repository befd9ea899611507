import { mkdir, open, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DataPaths } from "../data-folder/data-paths.ts";
import { replaceFile, syncFolder, syncFolders } from "../durable-file.ts";
import { findJournals } from "../journal/find-journals.ts";
import { listSegments } from "../journal/segment-files.ts";
import type { Log } from "../log.server.ts";
import { ignoreMissing } from "../missing-file.ts";
import { eventDatabaseFiles } from "../stores/duckdb/database-files.ts";
import { readEventMigrations } from "../stores/duckdb/migrate.ts";
import { readStateMigrations } from "../stores/sqlite/migrate.ts";
import { copyBytes, finishCopy, hashFile, makeFolderOf, tryClone, tryLink } from "./copy-file.server.ts";
import {
  isBackupName,
  listBackups,
  listUnfinished,
  type ManifestFile,
  readManifest,
  toBackupName,
  unfinishedName,
  writeManifest,
} from "./manifest.server.ts";
import { StateSnapshot } from "./state-copy.server.ts";

/** The number of snapshots that are kept, and so the number of upgrades one can go back. */
const KEPT = 2;
/** Free bytes that the stores need beyond the size of the copies. */
const RESERVE_BYTES = 256 * 1024 * 1024;

/** The schemas that the last start with this folder has left, and the version that did it. */
interface FolderSchema {
  version: string;
  state: number;
  events: number;
}

/** The contents of the schema file. */
interface SchemaFile {
  schema: FolderSchema | null;
  /** The name of the snapshot from before an upgrade that began and did not end. Null: there is none. */
  upgradingFrom: string | null;
}

export interface UpgradeSnapshot {
  /** Copies the event database, before anything opens it. Does nothing if there is nothing to upgrade. */
  addEvents(): Promise<void>;
  /** Notes that the folder has the schemas of this version, once it has. */
  noteUpgraded(): Promise<void>;
}

/**
 * Copies state and journal into `snapshots/` before a start changes their schema, so that an operator can go back to the version before
 * (`go-back.server.ts`). The process may be killed at any point, also repeatedly. A complete copy is never replaced by one of upgraded
 * databases, and stays the newest until an upgrade has ended.
 */
export async function beginUpgradeSnapshot(
  { paths, version }: { paths: DataPaths; version: string },
  log: Log,
): Promise<UpgradeSnapshot> {
  const wanted: FolderSchema = {
    version,
    state: readStateMigrations().length,
    events: readEventMigrations().length,
  };
  const { schema: found, upgradingFrom } = await readSchemaFile(paths.schema);
  const isNoted = JSON.stringify(found) === JSON.stringify(wanted) && upgradingFrom === null;
  const noteUpgraded = async () => {
    if (!isNoted) await writeSchemaFile(paths.schema, { schema: wanted, upgradingFrom: null });
  };
  const stateBytes = (await ignoreMissing(stat(paths.state)))?.size ?? 0;
  const isSame = found?.state === wanted.state && found.events === wanted.events && upgradingFrom === null;
  if (stateBytes === 0 || isSame || countStateMigrations(paths.state) === 0) {
    return { addEvents: async () => {}, noteUpgraded };
  }
  if (upgradingFrom !== null && (await readManifest(join(paths.snapshots, upgradingFrom)))) {
    const path = join(paths.snapshots, upgradingFrom);
    log.info({ path, to: version }, "an upgrade was cut off; its snapshot is kept");
    return { addEvents: async () => {}, noteUpgraded };
  }
  const snapshot = await openSnapshot(paths, log);
  if (!snapshot) return { addEvents: async () => {}, noteUpgraded };
  return {
    async addEvents() {
      const path = await snapshot.finish(found?.version ?? "an earlier version", (name) =>
        writeSchemaFile(paths.schema, { schema: found, upgradingFrom: name }),
      );
      log.info({ path, from: found?.version ?? null, to: version }, "a snapshot from before the upgrade is kept");
    },
    noteUpgraded,
  };
}

/** Null when the disk has no room for it. */
async function openSnapshot(paths: DataPaths, log: Log): Promise<SnapshotFolder | null> {
  await mkdir(paths.snapshots, { recursive: true, mode: 0o700 });
  for (const name of await listUnfinished(paths.snapshots)) {
    const folder = join(paths.snapshots, name);
    // The process was cut off after it copied the state, which may have been upgraded since.
    if (await ignoreMissing(stat(join(folder, "state.sqlite")))) return new SnapshotFolder(paths, folder);
    await rm(folder, { recursive: true, force: true });
  }
  const sizes = await Promise.all(
    [paths.state, `${paths.state}-wal`, ...eventDatabaseFiles(paths.events)].map((path) => ignoreMissing(stat(path))),
  );
  const bytes = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
  const { bavail, bsize } = await statfs(paths.snapshots);
  if (bavail * bsize < bytes + RESERVE_BYTES) {
    log.warn(
      { wantedBytes: bytes, freeBytes: bavail * bsize },
      "the disk has no room for a snapshot before the upgrade",
    );
    return null;
  }
  const folder = join(paths.snapshots, unfinishedName(toBackupName(new Date())));
  await mkdir(folder, { mode: 0o700 });
  const snapshot = new SnapshotFolder(paths, folder);
  await snapshot.begin();
  return snapshot;
}

class SnapshotFolder {
  readonly #paths: DataPaths;
  readonly #folder: string;

  constructor(paths: DataPaths, folder: string) {
    this.#paths = paths;
    this.#folder = folder;
  }

  /** The state comes last: when it is there, the rest is. */
  async begin(): Promise<void> {
    const journals = (await ignoreMissing(findJournals(this.#paths.journal))) ?? [];
    for (const { dir, folder } of journals) {
      const segments = await listSegments(dir);
      for (const [index, { path }] of segments.entries()) {
        const target = join(this.#folder, "journal", folder, basename(path));
        await makeFolderOf(target);
        // Only the last one is still written to.
        const isLast = index === segments.length - 1;
        if (isLast || !(await tryLink(path, target))) await copyWhole(path, target);
      }
    }
    const state = new StateSnapshot(this.#paths.state);
    const draft = join(this.#folder, "state.sqlite.new");
    try {
      state.take();
      await state.copyTo(draft);
    } finally {
      state.close();
    }
    if (await ignoreMissing(stat(join(this.#folder, "journal")))) await syncFolders(join(this.#folder, "journal"));
    await rename(draft, join(this.#folder, "state.sqlite"));
    await syncFolder(this.#folder);
    await syncFolder(this.#paths.snapshots);
  }

  /** @param note called with its name before it counts as whole */
  async finish(version: string, note: (name: string) => Promise<void>): Promise<string> {
    for (const source of eventDatabaseFiles(this.#paths.events)) {
      const target = join(this.#folder, basename(source));
      await rm(target, { force: true });
      if (!(await ignoreMissing(stat(source)))) continue;
      if (await tryClone(source, target)) await finishCopy(target, Number.MAX_SAFE_INTEGER);
      else await copyWhole(source, target);
    }
    const state = new StateSnapshot(join(this.#folder, "state.sqlite"));
    try {
      const [first, bulk] = (await ignoreMissing(findJournals(this.#paths.journal))) ?? [];
      const positionsOf = (id: string) => {
        const position = state.appliedSequence(id);
        return { journalId: id, positions: { state: position, events: position, journal: position } };
      };
      await writeManifest(this.#folder, {
        format: 1,
        takenAt: new Date().toISOString(),
        version,
        folderId: state.folderId() ?? "",
        ...positionsOf(first?.id ?? ""),
        ...(bulk && { bulk: positionsOf(bulk.id) }),
        files: await listSnapshotFiles(this.#folder),
      });
    } finally {
      state.close();
    }
    const finished = this.#folder.replace(/\.unfinished$/, "");
    await note(basename(finished));
    await rename(this.#folder, finished);
    await syncFolder(this.#paths.snapshots);
    for (const name of (await listBackups(this.#paths.snapshots)).slice(KEPT))
      await rm(join(this.#paths.snapshots, name), { recursive: true, force: true });
    return finished;
  }
}

async function listSnapshotFiles(folder: string): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  for (const path of paths.sort())
    files.push({ path, ...(await hashFile(join(folder, path), Number.MAX_SAFE_INTEGER)), source: null });
  return files;
}

async function copyWhole(source: string, target: string): Promise<void> {
  const file = await open(source, "r");
  try {
    await copyBytes(file, target, Number.MAX_SAFE_INTEGER);
  } finally {
    await file.close();
  }
}

/** 0 for a database without tables: a start that was cut off has left it. */
function countStateMigrations(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get();
    if (!table) return 0;
    return Number(database.prepare("SELECT count(*) AS count FROM schema_migrations").get()?.count ?? 0);
  } finally {
    database.close();
  }
}

async function readSchemaFile(path: string): Promise<SchemaFile> {
  const text = await ignoreMissing(readFile(path, "utf8"));
  try {
    const { upgradingFrom, ...schema } = text === null ? {} : JSON.parse(text);
    const isKnown = Number.isInteger(schema.state) && Number.isInteger(schema.events);
    return {
      schema: isKnown ? schema : null,
      upgradingFrom: typeof upgradingFrom === "string" && isBackupName(upgradingFrom) ? upgradingFrom : null,
    };
  } catch {
    // Damaged: as if it were not known.
    return { schema: null, upgradingFrom: null };
  }
}

/** Versions that know no upgrades that were cut off read the schema alone. */
async function writeSchemaFile(path: string, { schema, upgradingFrom }: SchemaFile): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ ...schema, ...(upgradingFrom && { upgradingFrom }) })}\n`, 0o600);
}
