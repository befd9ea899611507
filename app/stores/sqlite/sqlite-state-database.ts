import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { State } from "../state/state.ts";
import { openSqliteState, type SqliteStateOptions } from "./open-sqlite-state.ts";

let emptyFile: Promise<Uint8Array> | undefined;

/**
 * Writes a database in the state of a first start. The migrations make it once for each process, because that takes longer than many tests.
 */
export async function writeEmptyStateDatabase(path: string): Promise<void> {
  emptyFile ??= readEmptyFile();
  writeFileSync(path, await emptyFile);
}

/** For tests: like `openSqliteState`, but a missing database starts as a copy of an empty one. */
export async function openTestState(options: SqliteStateOptions): Promise<State> {
  if (!existsSync(options.path)) await writeEmptyStateDatabase(options.path);
  return openSqliteState(options);
}

async function readEmptyFile(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "culprit-state-"));
  const path = join(folder, "state.db");
  await (await openSqliteState({ path })).close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

/** For tests: a database in a temporary folder, deleted when disposed of. */
export async function createSqliteStateDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "culprit-state-"));
  const path = join(folder, "state.db");
  await writeEmptyStateDatabase(path);
  const stores: State[] = [];
  return {
    path,
    async connect(options: { now?: () => number } = {}): Promise<State> {
      const store = await openSqliteState({ path, ...options });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(stores.map((store) => store.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
