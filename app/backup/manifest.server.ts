import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, syncFolder } from "../durable-file.ts";
import { ignoreMissing } from "../missing-file.ts";

export interface ManifestFile {
  /** Path in the backup, with slashes. */
  path: string;
  /** Bytes that belong to the backup: a linked file may have grown since. */
  bytes: number;
  /** The checksum of those bytes, in hex. */
  sha256: string;
  /** The original file as it was then: the next backup links a file that has not changed since. */
  source: FileState | null;
}

export interface FileState {
  /** Texts, because the values may be too large for a number. */
  inode: string;
  modifiedNs: string;
  bytes: number;
}

/** Exclusive: the sequences up to which the stores had applied the journal, and up to which the journal was durable. */
export interface ManifestPositions {
  state: number;
  events: number;
  journal: number;
}

/** The contents of a backup. It is written last: a folder with a manifest is a whole backup. */
export interface Manifest {
  format: 1;
  /** ISO 8601, when everything in it was true. */
  takenAt: string;
  /** The version of Culprit that made it. */
  version: string;
  /** The id of the data folder. */
  folderId: string;
  journalId: string;
  positions: ManifestPositions;
  /** The journal of bulk. Absent: a version without one has made the backup. */
  bulk?: { journalId: string; positions: ManifestPositions };
  files: ManifestFile[];
}

const NAME = "manifest.json";
/** Names of backups in their folder; texts sort as times do. */
const BACKUP_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;
const UNFINISHED = ".unfinished";

export function toBackupName(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, "-");
}

export function isBackupName(name: string): boolean {
  return BACKUP_NAME.test(name);
}

/** The folder in which a backup is made. It gets its final name when it is whole. */
export function unfinishedName(name: string): string {
  return `${name}${UNFINISHED}`;
}

/** Folders of backups that were cut off. */
export async function listUnfinished(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith(UNFINISHED) && isBackupName(name.slice(0, -UNFINISHED.length)));
}

/** Newest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = (await ignoreMissing(readdir(folder))) ?? [];
  return names.filter(isBackupName).sort((a, b) => (a < b ? 1 : -1));
}

/** The backup at a path: the path itself, or the newest backup in it. @throws if there is none. */
export async function findBackup(path: string): Promise<string> {
  if ((await readManifest(path)) !== null) return path;
  const [newest] = await listBackups(path);
  if (newest === undefined) throw new Error(`there is no backup in ${path}: a backup has a file ${NAME}`);
  return join(path, newest);
}

/** Null when there is none. @throws if it cannot be read, or a newer version made it. */
export async function readManifest(backup: string): Promise<Manifest | null> {
  const path = join(backup, NAME);
  const text = await ignoreMissing(readFile(path, "utf8"));
  if (text === null) return null;
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is damaged: take another backup`, { cause: error });
  }
  if (manifest.format !== 1) throw new Error(`${path} was made by a newer version of Culprit: use that one`);
  for (const { path: name } of manifest.files) {
    if (/(^|\/)(\.\.?)?(\/|$)|\\/.test(name)) throw new Error(`${path} names a file outside of the backup: ${name}`);
  }
  return manifest;
}

/** Durable when it resolves. */
export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  await replaceFile(join(backup, NAME), `${JSON.stringify(manifest, null, 1)}\n`, 0o600);
  await syncFolder(backup);
}
