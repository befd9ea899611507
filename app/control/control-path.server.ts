import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

const NAME = "control.sock";
/** The size of `sun_path` in bytes, with the zero at its end: 108 on Linux, 104 on the BSDs and macOS. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/** The socket through which commands reach the server that runs on a data folder. */
export function controlPath(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Calls `use` with a path of the socket that is short enough for the system. A folder with a long path is named by its file
 * descriptor on Linux.
 *
 * @throws when the path is too long and the system has no other name for it.
 */
export function withSocketPath<T>(dataDir: string, use: (path: string) => T): T {
  const path = controlPath(dataDir);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  if (process.platform !== "linux")
    throw new Error(`${path} is longer than ${MAX_PATH_BYTES} bytes, which is too long for a socket`);
  const folder = openSync(dataDir, "r");
  try {
    return use(`/proc/self/fd/${folder}/${NAME}`);
  } finally {
    closeSync(folder);
  }
}
