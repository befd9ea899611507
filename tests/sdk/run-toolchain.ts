import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The first run fetches and compiles: minutes on a slow machine. */
export const INSTALL_TIMEOUT_MS = 600_000;

/** Whether the program answers; what is not there is skipped, and said. */
export function hasProgram(program: string, versionArgument = "--version"): boolean {
  return spawnSync(program, [versionArgument], { stdio: "ignore" }).status === 0;
}

/** What package managers say when it is the network, and not the application or its SDK, that fails. */
const NETWORK_FAILURE =
  /could not resolve|name resolution|name or service not known|no such host|unknown ?host|network|connection (?:refused|reset|timed out)|timed? ?out|proxy|certificate|offline|unreachable/i;

/**
 * Runs what installs an SDK. Null when it is there; else why it could not be fetched, which is a reason to skip.
 * @throws when it failed for another reason than the network
 */
export async function install(...command: Parameters<typeof run>): Promise<string | null> {
  try {
    await run(...command);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!NETWORK_FAILURE.test(message)) throw error;
    return `its SDK could not be fetched: ${message.trim().split("\n").at(-1)}`;
  }
}

/** The program of an environment. */
export function pythonOf(environment: string): string {
  return join(environment, "bin", "python");
}

/** Installs the `requirements.txt` of the folder into an environment, which is made where it is missing. */
export async function installPython(folder: string, environment: string): Promise<string | null> {
  if (!existsSync(pythonOf(environment))) {
    mkdirSync(dirname(environment), { recursive: true });
    await run("python3", { args: ["-m", "venv", environment], cwd: dirname(environment) });
  }
  // What the application imports is compiled when it runs: a small part of the packages.
  const pip = ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"];
  const args = [...pip, "-r", "requirements.txt"];
  return install(pythonOf(environment), { args, cwd: folder, timeoutMs: INSTALL_TIMEOUT_MS });
}

/** A clean machine compiles the standard library, too. Without optimizing and debug information, stacks are the same. */
const GO_FLAGS = ["-ldflags=-s -w", "-gcflags=all=-N -l -dwarf=false"];
const GO_ENV = { CGO_ENABLED: "0" };

/** Builds the program of the folder. */
export async function buildGo(folder: string, binary: string): Promise<string | null> {
  mkdirSync(dirname(binary), { recursive: true });
  const options = { cwd: folder, timeoutMs: INSTALL_TIMEOUT_MS };
  const problem = await install("go", { args: ["mod", "download"], ...options });
  if (problem === null) await run("go", { args: ["build", ...GO_FLAGS, "-o", binary, "."], ...options, env: GO_ENV });
  return problem;
}

/** Runs to the end. @throws with what it printed when it fails or takes too long. */
export async function run(
  program: string,
  options: { args: string[]; cwd: string; env?: Record<string, string>; timeoutMs?: number },
): Promise<string> {
  const child = spawn(program, options.args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 60_000);
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  }).finally(() => clearTimeout(timer));
  if (code !== 0) throw new Error(`${program} ${options.args.join(" ")} ended with ${code}:\n${output.slice(-4000)}`);
  return output;
}
