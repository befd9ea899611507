// Debian packs Chromium's headless shell apart from Chromium. It draws no window: the tests in a browser take it where they
// can, because it needs about half of the processor time. Plain JavaScript without packages, as setup.mjs.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGE = "chromium-headless-shell";
/** Where Debian's packages have Chromium. */
const LIBRARY = "usr/lib/chromium";
/** Of Chromium's own folder, what the shell does not use: they are large. */
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
 * Takes the shell of the same version as the machine's Chromium from Debian's archive, and lays it into the user's cache.
 * Nothing is installed, and nobody has to be root. It is left out where there is no Debian, no Chromium of Debian's or no
 * network: the tests then run in the whole Chromium.
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
    // It may need a library that this machine lacks.
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

/** What a command prints; null when it does not end well. @param {string} command @param {string[]} args @param {string} [cwd] */
function read(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: FETCH_LIMIT_MS });
  return status === 0 ? stdout.trim() : null;
}
