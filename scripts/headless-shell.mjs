// Debian packs Chromium's headless shell apart from Chromium. It draws no window: the tests in a browser take it where they
// can, because it needs about half of the processor time. Plain JavaScript without packages, as setup.mjs.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGE = "chromium-headless-shell";
/** The folder of Chromium in Debian's packages. */
const LIBRARY = "usr/lib/chromium";
/** Large parts of Chromium's folder that the shell does not use. */
const UNUSED = /^(chromium|chrome_.*|resources\.pak|locales|libVkLayer.*)$/;
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "culprit");
const FETCH_LIMIT_MS = 120_000;

/** The path of the shell that `fetchHeadlessShell` has left, of the newest if there are several; null: none. */
export function findHeadlessShell() {
  const folders = existsSync(CACHE) ? readdirSync(CACHE).filter((name) => name.startsWith(`${PACKAGE}-`)) : [];
  const paths = folders.sort().map((name) => join(CACHE, name, PACKAGE));
  return paths.findLast((path) => existsSync(path)) ?? null;
}

/**
 * Fetches the shell of the same version as the machine's Chromium from Debian's archive, and unpacks it into the user's cache. Nothing is
 * installed, and it needs no root. It does nothing without Debian, without Debian's Chromium, or without network: the tests then run in the
 * whole Chromium.
 */
export function fetchHeadlessShell() {
  const version = read("dpkg-query", ["--show", `--showformat=\${Version}`, "chromium-common"]);
  if (!version || !existsSync(`/${LIBRARY}/chromium`)) return;
  const folder = join(CACHE, `${PACKAGE}-${version}`);
  if (existsSync(folder)) return;
  const temp = mkdtempSync(join(tmpdir(), "culprit-shell-"));
  try {
    // The archive may be out of reach, and then it should be said soon.
    const quick = ["-o", "Acquire::http::Timeout=5", "-o", "Acquire::https::Timeout=5", "-o", "Acquire::Retries=0"];
    if (read("apt-get", [...quick, "download", `${PACKAGE}=${version}`], temp) === null) return;
    const archive = readdirSync(temp).find((name) => name.endsWith(".deb"));
    if (!archive || read("dpkg-deb", ["--extract", archive, "."], temp) === null) return;
    const shell = join(temp, LIBRARY);
    for (const name of readdirSync(`/${LIBRARY}`))
      if (!UNUSED.test(name)) cpSync(join("/", LIBRARY, name), join(shell, name), { recursive: true });
    // It may need a library that this machine does not have.
    if (read(join(shell, PACKAGE), ["--version"]) === null) return;
    mkdirSync(CACHE, { recursive: true, mode: 0o700 });
    // Under its own name only when it is whole: two runs may be at it.
    const unfinished = mkdtempSync(join(CACHE, "unfinished-"));
    cpSync(shell, unfinished, { recursive: true });
    if (existsSync(folder)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, folder);
    for (const name of readdirSync(CACHE))
      if (name.startsWith(`${PACKAGE}-`) && name !== `${PACKAGE}-${version}`)
        rmSync(join(CACHE, name), { recursive: true, force: true });
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** The output of a command. Null when it fails. @param {string} command @param {string[]} args @param {string} [cwd] */
function read(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: FETCH_LIMIT_MS });
  return status === 0 ? stdout.trim() : null;
}
