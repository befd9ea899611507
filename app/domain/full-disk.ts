/** SQLite's primary codes, `SQLITE_FULL` and `SQLITE_READONLY`. */
const SQLITE_FULL = 13;
const SQLITE_READONLY = 8;
/** SQLite's error code for a write to an open file after its disk became read-only. */
const SQLITE_IOERR_WRITE = 778;

/** The message for people whose change could not be written. */
export const FULL_DISK =
  "The disk of the server is full, so nothing was changed. The server goes on by itself once its operator has made room.";
const READ_ONLY_DISK =
  "The disk of the server cannot be written, so nothing was changed. Its operator finds the reason in the log.";

/** Whether something failed because the disk has no room, or no inodes. By its fields: the build of the pages gets errors of the server's. */
export function isFullDisk(error: unknown): error is Error {
  const { code, errcode } = readCodes(error);
  return code === "ENOSPC" || code === "EDQUOT" || toPrimary(errcode) === SQLITE_FULL;
}

/** The message for people whose change the disk refused. Null: the error has another cause. */
export function sayRefusedByDisk(error: unknown): string | null {
  if (isFullDisk(error)) return FULL_DISK;
  const { code, errcode } = readCodes(error);
  const isReadOnly = code === "EROFS" || toPrimary(errcode) === SQLITE_READONLY || errcode === SQLITE_IOERR_WRITE;
  return isReadOnly ? READ_ONLY_DISK : null;
}

function readCodes(error: unknown): { code?: unknown; errcode?: unknown } {
  return error instanceof Error ? (error as { code?: unknown; errcode?: unknown }) : {};
}

function toPrimary(errcode: unknown): number | null {
  return typeof errcode === "number" ? errcode & 0xff : null;
}
