import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MOUNT = "/dev/shm";
const PREFIX = "culprit-test-";
/** All tests that run at one time use less than a quarter of it. */
const WANTED_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory for the temporary files of tests, which goes with this process. Waiting for a disk is a large part of the time of
 * tests that open stores and servers.
 *
 * @returns null: there is none that is large enough, or `TMPDIR` names a folder already
 */
export function makeMemoryFolder(): string | null {
  if (process.env.TMPDIR || !hasRoom()) return null;
  removeLeftFolders();
  const folder = mkdtempSync(join(MOUNT, `${PREFIX}${process.pid}-`));
  // PostgreSQL does not run as root: it passes through to a folder of its own.
  chmodSync(folder, 0o711);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Of processes that were killed. */
function removeLeftFolders(): void {
  for (const name of readdirSync(MOUNT)) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-") : [];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(MOUNT, name), { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  try {
    const [, , type, options = ""] = findMount()?.split(" ") ?? [];
    // Tests run programs from there.
    if (type !== "tmpfs" || options.split(",").includes("noexec")) return false;
    const { bavail, bsize } = statfsSync(MOUNT);
    return Math.min(bavail * bsize, process.availableMemory()) >= WANTED_BYTES;
  } catch {
    return false;
  }
}

function findMount(): string | undefined {
  return readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .findLast((line) => line.split(" ")[1] === MOUNT);
}
