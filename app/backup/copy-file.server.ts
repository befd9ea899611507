import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { copyFile, type FileHandle, link, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { MIB } from "../domain/bytes.ts";
import type { FileState } from "./manifest.server.ts";

const PIECE_BYTES = MIB;

export interface CopiedFile {
  bytes: number;
  sha256: string;
}

/** The state of a file, for comparing it with the one that an earlier backup copied. */
export function toFileState({ ino, mtimeNs, size }: BigIntStats): FileState {
  return { inode: String(ino), modifiedNs: String(mtimeNs), bytes: Number(size) };
}

/** Makes the folder of the path if it is missing. Only the owner may read it. */
export async function makeFolderOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
}

/** A second name of the same file; false where the file system has none, or it is another one. */
export async function tryLink(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (isRefusedByFileSystem(error)) return false;
    throw error;
  }
}

/** Makes a copy that shares its blocks with the source until one of them is written. False if the file system cannot do it. */
export async function tryClone(source: string, target: string): Promise<boolean> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (!isRefusedByFileSystem(error)) throw error;
    await rm(target, { force: true });
    return false;
  }
}

/** Copies the first bytes of a file. When it resolves, the content is durable. The name is durable once the folder is synced. */
export async function copyBytes(source: FileHandle, target: string, bytes: number): Promise<CopiedFile> {
  const file = await open(target, "wx", 0o600);
  try {
    const copied = await readThrough(source, bytes, (piece) => file.writeFile(piece));
    await file.sync();
    return copied;
  } catch (error) {
    throw nameFile(error, target);
  } finally {
    await file.close();
  }
}

/** Node names no file when a write to an open one fails. The rest of the error stays, like its code. */
export function nameFile(error: unknown, path: string): unknown {
  if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`;
  return error;
}

/** Cuts a copy to its first bytes, and makes it durable. */
export async function finishCopy(target: string, bytes: number): Promise<CopiedFile> {
  const file = await open(target, "r+");
  try {
    await file.chmod(0o600);
    if ((await file.stat()).size > bytes) await file.truncate(bytes);
    await file.sync();
    return await readThrough(file, bytes);
  } catch (error) {
    throw nameFile(error, target);
  } finally {
    await file.close();
  }
}

/** The hash of the first bytes of a file, or of the whole file if it is shorter. */
export async function hashFile(path: string, bytes: number): Promise<CopiedFile> {
  const file = await open(path, "r");
  try {
    return await readThrough(file, bytes);
  } finally {
    await file.close();
  }
}

async function readThrough(
  source: FileHandle,
  bytes: number,
  use: (piece: Uint8Array) => Promise<void> = async () => {},
): Promise<CopiedFile> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(Math.max(1, Math.min(bytes, PIECE_BYTES)));
  let at = 0;
  while (at < bytes) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await use(piece);
    at += bytesRead;
  }
  return { bytes: at, sha256: hash.digest("hex") };
}

function isRefusedByFileSystem(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return ["EXDEV", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EPERM", "EINVAL", "ENOTTY", "EMLINK"].includes(code ?? "");
}
