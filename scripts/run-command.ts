// The common part of the commands for operators: the data folder, the text of `--help`, and the message about a failure.
import { resolve } from "node:path";

/** The arguments are not those of the command: its usage follows the message, if there is one. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Runs a command. `dataDir` is an absolute path. The command returns the exit status. A command that throws ends with 1 and its message.
 *
 * @param usage text of `--help`
 */
export async function runCommand(
  usage: string,
  command: (input: { dataDir: string; args: readonly string[] }) => Promise<number>,
): Promise<void> {
  const args = process.argv.slice(2);
  // A reader that closes early, like `head`, does not end the work.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", throwUnlessUnread);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    // A variable in quotes that is not set: it would mean the working folder.
    if (args.includes("")) throw new UsageError("an argument is empty");
    const dataDir = resolve(process.env.DATA_DIR?.trim() || "data");
    process.exitCode = await command({ dataDir, args });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const lines = isUsageError(error) ? [message, usage].filter(Boolean) : [message];
    process.stderr.write(`culprit: ${lines.join("\n")}\n`);
    process.exitCode = 1;
  }
}

/** Includes the errors of Node's `parseArgs`. */
function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}

function throwUnlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
