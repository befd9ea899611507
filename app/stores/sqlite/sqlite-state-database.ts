import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { State } from "../state/state.ts";
import { openSqliteState } from "./open-sqlite-state.ts";

/** For tests: a database in a temporary folder, deleted when disposed of. */
export async function createSqliteStateDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "culprit-state-"));
  const path = join(folder, "state.db");
  const stores: State[] = [];
  return {
    path,
    async connect(options: { now?: () => number; readOnly?: boolean } = {}): Promise<State> {
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
