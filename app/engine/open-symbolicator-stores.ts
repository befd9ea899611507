import { openBlobFiles } from "../stores/files/open-blob-files.ts";
import { openSqliteStateStore } from "../stores/sqlite/open-sqlite-state-store.ts";
import type { SymbolicatorStores } from "../symbolicate/symbolicator-thread.ts";
import { createPublicFiles } from "./create-public-files.server.ts";

export interface SymbolicatorStoresOptions {
  /** The SQLite file of the state store; it must be there, and of the newest schema. */
  statePath: string;
  /** The folder of uploads. */
  blobDir: string;
}

/** Opens, on the symbolicator's own thread, what it reads. Named to it by `SYMBOLICATOR_STORES_MODULE`. */
export async function openSymbolicatorStores(options: SymbolicatorStoresOptions): Promise<SymbolicatorStores> {
  const artifacts = await openSqliteStateStore({ path: options.statePath, readOnly: true });
  const blobs = await openBlobFiles({ dir: options.blobDir });
  return { artifacts, blobs, publicFiles: createPublicFiles({ state: artifacts }), close: () => artifacts.close() };
}

export const SYMBOLICATOR_STORES_MODULE = import.meta.url;
