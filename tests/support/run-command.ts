import { execFile } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Runs one of the operator's commands on a data folder, as `npm run <name>` does once everything is installed. */
export function runCommand(
  name: "account" | "backup" | "restore" | "check",
  dataDir: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = execFile(
      process.execPath,
      [`scripts/${name}.ts`, ...args],
      { cwd: root, env },
      (_error, stdout, stderr) => done({ code: child.exitCode, stdout, stderr }),
    );
  });
}
