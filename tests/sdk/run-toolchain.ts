import { spawn, spawnSync } from "node:child_process";

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
