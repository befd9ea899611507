import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The packages of the lock file that are missing from node_modules, or have another version there. npm keeps a record of what it installed
 * (`node_modules/.package-lock.json`, written last), so an interrupted install counts as none. Optional packages may be missing, because
 * the lock has those of every platform.
 *
 * @param {string} root folder of the project
 * @param {{ withDev: boolean }} options whether to check packages that only tests and type checks need, too
 * @returns {string[]} their places, like `node_modules/react`
 */
export function findMissingPackages(root, { withDev }) {
  const locked = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  return Object.keys(locked).filter((place) => {
    const { dev, devOptional, optional, version } = locked[place];
    if (place === "" || (!withDev && dev)) return false;
    const found = installed[place];
    if (!found) return !optional && (withDev || !devOptional);
    return found.version !== version;
  });
}

/** @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}
