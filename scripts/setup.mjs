// Makes a checkout ready, and does nothing when it is: `node scripts/setup.mjs [--dev] [--build] [--built] [--browser]`.
//   (always)   installs what running needs, when the lock file names something that is not installed
//   --dev      installs what developing and testing need, too
//   --build    builds, when a source is not the one that was built
//   --built    notes that the sources are built: `npm run build` has done it, and the next start need not
//   --browser  sees to a Chromium for the tests
// Plain JavaScript without packages, for any Node from 18 on: it runs before there are packages, or the right Node.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBuildCommit } from "./build-commit.mjs";
import { findChromium } from "./find-chromium.mjs";
import { fetchHeadlessShell } from "./headless-shell.mjs";
import { findMissingPackages } from "./installed-packages.mjs";
import { hashSources } from "./source-hash.mjs";

/** React Router 8 asks for it; `node:sqlite` and type stripping need less. */
const MIN_NODE = [22, 22];

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
/** Contains the hash of the sources of the build. */
const BUILT_MARKER = join(root, "build", ".source-hash");
const options = new Set(process.argv.slice(2));
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };

install({ withDev: options.has("--dev") });
checkNode();
// Also without a new build: a commit may only change files that are not built.
writeBuildCommit(root);
if (options.has("--build")) build();
if (options.has("--built")) writeFileSync(BUILT_MARKER, hashSources(root));
if (options.has("--browser")) provideBrowser();

/** @param {{ withDev: boolean }} what */
function install({ withDev }) {
  const missing = findMissingPackages(root, { withDev });
  if (missing.length === 0) return;
  say(`installing ${missing.length} packages${withDev ? "" : " that running needs"} (npm ci)`);
  const startedAt = Date.now();
  // None of our packages needs an install script, and npm before 11.19 does not know `allowScripts`.
  const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", withDev ? "--include=dev" : "--omit=dev"];
  const npmCli = process.env.npm_execpath;
  // npm removes node_modules first, so it must not run on the Node that may lie in there.
  const node = findNodeOutside() ?? process.execPath;
  const isNpm = npmCli !== undefined && /npm-cli\.[cm]?js$/.test(npmCli);
  const { status, error } = isNpm ? run(node, [npmCli, ...flags]) : run("npm", flags);
  if (error || status !== 0) fail(`npm ci did not work${error ? `: ${error.message}` : ""}. Its messages stand above.`);
  const still = findMissingPackages(root, { withDev });
  if (still.length > 0)
    fail(`npm ci left out ${still.slice(0, 3).join(", ")}: does package-lock.json fit package.json?`);
  say(`installed in ${seconds(startedAt)}`);
}

/** The Node that npm scripts find first: the one that was installed with the packages, or the machine's. */
function checkNode() {
  const link = join(bin, "node");
  const target = join("..", `node-${process.platform}-${process.arch}`, "bin", "node");
  // npm 10 installs the package and leaves its link out, because the package of the other architecture has the same one.
  if (!existsSync(link) && existsSync(join(bin, target))) symlinkSync(target, link);
  if (existsSync(link)) {
    const { status, stdout } = spawnSync(link, ["--version"], { encoding: "utf8" });
    if (status === 0 && isNewEnough(stdout)) return;
    // On a system for which it was not made (like musl), it would hide the machine's own Node.
    rmSync(link);
  }
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8", env });
  const found = stdout?.trim() || process.version;
  if (isNewEnough(found)) return;
  fail(
    `Culprit needs Node ${MIN_NODE.join(".")} or newer, and found ${found}. On Linux with glibc (x64, arm64) the right one is ` +
      `installed with the packages; here (${process.platform} ${process.arch}) please install Node 24 from https://nodejs.org.`,
  );
}

function build() {
  const hash = hashSources(root);
  const isBuilt =
    existsSync(join(root, "build", "server", "index.js")) &&
    existsSync(join(root, "build", "node", "server.js")) &&
    existsSync(BUILT_MARKER);
  if (isBuilt && readFileSync(BUILT_MARKER, "utf8") === hash) return;
  say("building the pages and the server");
  const startedAt = Date.now();
  rmSync(BUILT_MARKER, { force: true });
  runQuietly(join(bin, "react-router"), ["build"]);
  runQuietly("node", ["scripts/build-server.ts"]);
  writeFileSync(BUILT_MARKER, hash);
  say(`built in ${seconds(startedAt)}`);
}

/** A step of the build. Its messages are only worth reading when something is wrong. @param {string} command @param {string[]} args */
function runQuietly(command, args) {
  const { status, output, error } = run(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...env, NODE_ENV: "production" },
  });
  if (!error && status === 0) return;
  process.stderr.write((output ?? []).filter(Boolean).join(""));
  fail(`the build did not work${error ? `: ${error.message}` : ""}.`);
}

function provideBrowser() {
  if (!process.env.CHROMIUM_PATH) fetchHeadlessShell();
  if (findChromium()) return;
  say("no Chromium found: asking Playwright for one");
  if (run(join(bin, "playwright"), ["install", "chromium-headless-shell"]).status === 0) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("installing Debian's Chromium");
    run("apt-get", ["update"]);
    // The shell takes half of the processor time of the whole Chromium. Older releases of Debian have no package of it.
    for (const name of ["chromium-headless-shell", "chromium"]) {
      const { status } = run("apt-get", ["install", "-y", "--no-install-recommends", name]);
      if (status === 0 && findChromium()) return;
    }
  }
  fail("there is no Chromium for the tests: install one, or set CHROMIUM_PATH to where it is.");
}

/** @param {string} command @param {string[]} args @param {import("node:child_process").SpawnSyncOptions} [more] */
function run(command, args, more = {}) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env, ...more });
}

function findNodeOutside() {
  const modules = join(root, "node_modules") + sep;
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder && !resolve(folder).startsWith(modules));
  return folders.map((folder) => join(folder, "node")).find((path) => existsSync(path));
}

/** @param {string} version like `v24.21.0` */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^\D+/, "").split(".").map(Number);
  return major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
}

/** @param {number} startedAt */
function seconds(startedAt) {
  return `${Math.round((Date.now() - startedAt) / 1000)} s`;
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`culprit: ${message}\n`);
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`culprit: ${message}\n`);
  process.exit(1);
}
