import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StateStore } from "../state-store.ts";
import { openSqliteStateStore } from "./open-sqlite-state-store.ts";

/** For tests: a database in a temporary folder, deleted when disposed of. */
export async function createSqliteStateDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "culprit-state-"));
  const path = join(folder, "state.db");
  const stores: StateStore[] = [];
  return {
    path,
    async connect(options: { now?: () => number; readOnly?: boolean } = {}): Promise<StateStore> {
      const store = await openSqliteStateStore({ path, ...options });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(stores.map((store) => store.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
