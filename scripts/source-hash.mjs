import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const FOLDERS = ["app", "public"];
const FILES = [
  "instrument.server.ts",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "scripts/build-server.ts",
  "scripts/prepare-databases.ts",
  "server.ts",
  "tsconfig.json",
  "vite.config.ts",
];
/** Files that only tests read: a changed test needs no new build. */
const ONLY_TESTS = /\.(test|contract)\.tsx?$|(^|\/)(fixtures|testing)\//;

/**
 * One hash over the names and contents of all files of which the build is made. Times are not used: a checkout, a copy and an unpacked
 * archive set them differently.
 *
 * @param {string} root folder of the project
 */
export function hashSources(root) {
  const hash = createHash("sha256");
  const files = [
    ...FOLDERS.flatMap((folder) => listFiles(join(root, folder))),
    ...FILES.map((file) => join(root, file)),
  ];
  for (const file of files) {
    const name = relative(root, file).replaceAll("\\", "/");
    if (ONLY_TESTS.test(name)) continue;
    hash.update(`${name}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** @param {string} folder */
function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name.startsWith(".")) return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}
