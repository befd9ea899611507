import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { QUICK_PASSWORDS } from "./start-server.ts";

const root = resolve(import.meta.dirname, "../..");

interface RunningCommand extends Promise<{ code: number | null; stdout: string; stderr: string }> {
  kill9(): void;
}

/** Runs one of the operator's commands on a data folder, as `npm run <name>` does once everything is installed. */
export function runCommand(
  name: "account" | "backup" | "restore" | "check" | "go-back" | "rebuild",
  dataDir: string,
  args: readonly string[],
  addedEnv: Record<string, string> = {},
): RunningCommand {
  const ended = Promise.withResolvers<{ code: number | null; stdout: string; stderr: string }>();
  const env = { ...process.env, DATA_DIR: dataDir, ...addedEnv };
  const child = execFile(
    process.execPath,
    [...QUICK_PASSWORDS, `scripts/${name}.ts`, ...args],
    { cwd: root, env },
    (_error, stdout, stderr) => ended.resolve({ code: child.exitCode, stdout, stderr }),
  );
  return Object.assign(ended.promise, { kill9: () => void child.kill("SIGKILL") });
}
