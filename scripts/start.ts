// Becomes the server: `node scripts/start.ts [module, instead of the server]`. The switches cannot be set from within: V8, glibc
// and DuckDB read them when a process begins. Decision 001 has the measurements.
import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The server, where `scripts/build-server.ts` puts it. */
export const SERVER_FILE = fileURLToPath(new URL("../build/node/server.js", import.meta.url));

/** Options for V8, and modules to load before the server. */
export const START_ARGS: readonly string[] = [
  // MB, a quarter of V8's default. The young generation of each thread takes up to three times as much.
  "--max-semi-space-size=4",
  // MB, far more than the live memory. With a larger limit, V8 collects when garbage is three times the live memory, with this one when it
  // is as much.
  "--max-old-space-size=1024",
  // Libraries ask which cryptography there is, and Node calls some of it experimental: nothing that an operator has to hear of.
  "--disable-warning=ExperimentalWarning",
  "--import",
  new URL("../build/node/instrument.server.js", import.meta.url).href,
];

/** Compiled code is kept beside the build: the next start takes a third of the time and 30 MB less. */
const COMPILE_CACHE = fileURLToPath(new URL("../build/compile-cache", import.meta.url));

export const START_ENV: Readonly<Record<string, string>> = {
  // React and React Router have a faster and smaller build for it.
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  // By default, glibc gives each of a dozen threads an arena, and each arena keeps its freed memory.
  MALLOC_ARENA_MAX: "2",
  // Bytes. If it is set, glibc does not raise it, and returns buffers of a megabyte to the system. With its default of 128 KiB, each new
  // buffer costs a fault for every page.
  MALLOC_MMAP_THRESHOLD_: "1048576",
  MALLOC_TRIM_THRESHOLD_: "1048576",
  // DuckDB's allocator otherwise keeps freed memory for ten seconds, for each core. Given back sooner, the next batch would fault it in again.
  DUCKDB_JE_MALLOC_CONF: "narenas:1,dirty_decay_ms:5000,muzzy_decay_ms:0",
  // DuckDB can hold all four of the threads that Node starts with. The journal's writes, and so every answer, would wait.
  UV_THREADPOOL_SIZE: "8",
};

/**
 * The server takes the place of this process: signals and the exit code are its own, and no parent keeps 45 MB.
 *
 * @param module its path; of a relative one, from the working folder
 */
export function becomeServer(module = SERVER_FILE): void {
  if (!process.execve) fail(`Node cannot replace its process on ${process.platform}; Linux and macOS work`);
  // Node closes the inherited socket when it replaces itself.
  if (process.env.LISTEN_PID === String(process.pid))
    fail("a socket of systemd is for server.js, as in deploy/culprit.service");
  const env: NodeJS.ProcessEnv = { ...process.env, ...START_ENV };
  const cache = process.env.NODE_COMPILE_CACHE || findCompileCache(process.env);
  if (cache) env.NODE_COMPILE_CACHE = cache;
  else delete env.NODE_COMPILE_CACHE;
  process.execve(process.execPath, [process.execPath, ...START_ARGS, module], env);
}

/**
 * The first folder that may be written: beside the build, systemd's `CacheDirectory=`, the user's own. Never one that others
 * may write, because code that is found there is run. Null: none.
 */
export function findCompileCache(env: NodeJS.ProcessEnv, beside = COMPILE_CACHE): string | null {
  const ofUser = env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache");
  const folders = [beside, env.CACHE_DIRECTORY, join(ofUser, "culprit", "compile-cache")];
  return folders.find((folder) => folder && mayWrite(folder)) ?? null;
}

/** Refuses `npm start -- --port 80` and `culprit start --port 80`. */
export function refuseOptions(): never {
  fail("the server takes no options: environment variables configure it, like PORT=80 (docs/configuration.md)");
}

function fail(message: string): never {
  process.stderr.write(`culprit: ${message}.\n`);
  process.exit(1);
}

function mayWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  // Node would take it for a switch of its own.
  if (process.argv[2]?.startsWith("-")) refuseOptions();
  becomeServer(process.argv[2]);
}
