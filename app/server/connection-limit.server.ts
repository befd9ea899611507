import { readFileSync } from "node:fs";

/** For stores, searches, downloads and messages. A server at rest has 43 open. */
const FILES_BESIDE = 512;

/**
 * How many connections may be open at once: each is an open file, and a store that may not open one more cannot commit. Of a small limit,
 * half is left to them.
 *
 * @param openFiles that this process may have; null: as many as it likes
 */
export function fitConnections(wanted: number, openFiles: number | null): number {
  if (openFiles === null) return wanted;
  return Math.min(wanted, openFiles - Math.min(FILES_BESIDE, Math.ceil(openFiles / 2)));
}

/** Node raises it to the hard limit when it starts. Null where the system does not say it in a file, like macOS. */
export function readOpenFileLimit(path = "/proc/self/limits"): number | null {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
