// `npm run pack [-- <folder>]`: makes `culprit-<version>.tgz` of what is built. It holds JavaScript and no build tool, and starts
// by `npx ./culprit-<version>.tgz`, or as `culprit` after `npm i -g`. Decision 029 says what is in it and why.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { BUNDLED_PACKAGES } from "../../app/server/vite-packages-plugin.ts";
import { collectNotices } from "./collect-notices.ts";
import { copySources, toPackage } from "./copy-sources.ts";
import { findLoaded } from "./find-loaded.ts";
import { type LockedPackage, pruneLock } from "./prune-lock.ts";

const root = resolve(import.meta.dirname, "../..");

/** Modules that nothing imports: programs, and modules that a thread loads by URL. */
const ENTRIES = ["bin/culprit.mjs", "scripts/check-health.ts"];
/** Files for the server, which reads them by path, and for people. */
const COPIED = ["README.md", "CHANGELOG.md", "LICENSE", "docs", "deploy"];
/** Parts of a build that a running server adds, or that only this script reads. Marks of what was built are left out, too. */
const NOT_OF_THE_BUILD = new Set(["compile-cache", BUNDLED_PACKAGES]);

/** @returns the path of the archive, below `folder` */
export function pack(folder: string): string {
  const { version, description, license, engines, dependencies } = readJson(join(root, "package.json"));
  const staging = mkdtempSync(join(tmpdir(), "culprit-pack-"));
  try {
    for (const name of COPIED)
      if (existsSync(join(root, name))) cpSync(join(root, name), join(staging, name), { recursive: true });
    cpSync(join(root, "build"), join(staging, "build"), {
      recursive: true,
      filter: (path) => !NOT_OF_THE_BUILD.has(relative(join(root, "build"), path)) && !path.endsWith(".source-hash"),
    });
    const { files, packages } = copySources(root, staging, ENTRIES);
    copyMigrations(staging, files);
    for (const name of listBundledImports(join(root, "build", "server"))) packages.add(name);
    const locked: { packages: Record<string, LockedPackage> } = readJson(join(root, "package-lock.json"));
    for (const name of packages) {
      if (!dependencies[name]) throw new Error(`${name} is imported, and is no dependency of package.json`);
    }
    const needed = pruneLock(locked.packages, [...packages]);
    writeFileSync(join(staging, "THIRD-PARTY-NOTICES.txt"), collectNotices(root, locked.packages));
    const manifest = {
      name: "culprit",
      version,
      description,
      license,
      type: "module",
      bin: { culprit: "bin/culprit.mjs" },
      engines,
      dependencies: pinAll(needed),
    };
    writeJson(join(staging, "package.json"), manifest);
    writeJson(join(staging, "npm-shrinkwrap.json"), {
      name: "culprit",
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { "": manifest, ...needed },
    });
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", resolve(folder)], {
      cwd: staging,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return join(folder, `culprit-${version}.tgz`);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * The exact versions of all installed packages, including dependencies of packages: npm does not read a shrinkwrap of an archive on disk,
 * and would take the newest versions in their ranges. Optional packages are pinned by the packages that need them.
 *
 * @throws when a package has two versions, which this form cannot express
 */
function pinAll(needed: Readonly<Record<string, LockedPackage>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(needed)
      .filter(([, { optional }]) => !optional)
      .map(([place, { version = "" }]) => {
        const name = place.replace(/^node_modules\//, "");
        if (name.includes("/node_modules/")) throw new Error(`a second version of a package is needed: ${place}`);
        return [name, version];
      }),
  );
}

/** Stores find their migrations beside the module that applies them. */
function copyMigrations(staging: string, files: readonly string[]): void {
  for (const file of files.filter((name) => /^app\/stores\/\w+\/migrate\.ts$/.test(name))) {
    const folder = join(file, "..", "migrations");
    cpSync(join(root, folder), join(staging, folder), { recursive: true });
  }
}

/** Packages that stayed outside of the pages' bundle. */
function listBundledImports(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => findLoaded(readFileSync(join(folder, name), "utf8")))
    .filter(({ specifier }) => !specifier.startsWith(".") && !isBuiltin(specifier))
    .map(({ specifier }) => toPackage(specifier));
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.main) {
  const path = pack(process.argv[2] ?? ".");
  process.stdout.write(`culprit: ${path}, ${(statSync(path).size / 1e6).toFixed(1)} MB\n`);
}
