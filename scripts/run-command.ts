// What the commands for operators have in common: where the data is, and how a failure is told.
import { resolve } from "node:path";

/** `dataDir` is an absolute path. The command gives the exit status; one that throws ends with 1 and its message. */
export async function runCommand(
  command: (input: { dataDir: string; args: readonly string[] }) => Promise<number>,
): Promise<void> {
  try {
    const dataDir = resolve(process.env.DATA_DIR?.trim() || "data");
    process.exitCode = await command({ dataDir, args: process.argv.slice(2) });
  } catch (error) {
    process.stderr.write(`culprit: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
