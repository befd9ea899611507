import { dataPaths } from "../data-folder/data-paths.ts";
import { createPasswordHasher } from "../features/auth/password-hasher.server.ts";
import { openSqliteState } from "../stores/sqlite/open-sqlite-state.ts";
import { runAccountCommand } from "./account-commands.server.ts";
import { reachServer } from "./reach-server.server.ts";
import { requireStateFile } from "./require-state-file.server.ts";

const ANSWER_WITHIN_MS = 30_000;

/**
 * Runs an account command on a data folder, through the server that runs on it or by itself, and gives the lines to print.
 *
 * @throws a sentence for the operator.
 */
export async function runAccount(dataDir: string, args: readonly string[]): Promise<string[]> {
  const reached = await reachServer(dataDir);
  if (reached.isRunning) {
    try {
      const { printed } = await reached.server.ask({ command: "account", args }, ANSWER_WITHIN_MS);
      return Array.isArray(printed) ? printed.map(String) : [];
    } finally {
      reached.server.close();
    }
  }
  const path = dataPaths(dataDir).state;
  try {
    await requireStateFile(path);
    const state = await openSqliteState({ path });
    const passwords = createPasswordHasher();
    try {
      return await runAccountCommand(
        {
          people: state.people,
          secondFactors: state.secondFactors,
          audit: state.audit,
          passwords,
          setUpCode: null,
          now: Date.now(),
        },
        args,
      );
    } finally {
      await passwords.close();
      await state.close();
    }
  } finally {
    reached.unlock();
  }
}
