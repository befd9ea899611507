/** SQLite's primary code for it, `SQLITE_FULL`. */
const SQLITE_FULL = 13;

/** For people, whose change could not be written. */
export const FULL_DISK =
  "The disk of the server is full, so nothing was changed. The server goes on by itself once its operator has made room.";

/** Whether something failed because the disk has no room, or no inodes. By its fields: the build of the pages gets errors of the server's. */
export function isFullDisk(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === "ENOSPC" || code === "EDQUOT" || (typeof errcode === "number" && (errcode & 0xff) === SQLITE_FULL);
}
