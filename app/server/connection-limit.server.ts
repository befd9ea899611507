import { readFileSync } from "node:fs";

/** Open files for stores, searches, downloads and messages. An idle server has 43 open. */
const FILES_BESIDE = 512;

/**
 * The number of connections that may be open at once. Each is an open file, and a store that cannot open a file cannot commit. If the limit
 * is small, half of it is left to the stores.
 *
 * @param openFiles the limit of open files of this process; null: unlimited
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
