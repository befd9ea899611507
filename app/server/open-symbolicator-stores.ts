import { openBlobFiles } from "../stores/files/open-blob-files.ts";
import { openSqliteState } from "../stores/sqlite/open-sqlite-state.ts";
import type { SymbolicatorStores } from "../symbolicate/symbolicator-thread.ts";
import { createPublicFiles } from "./create-public-files.server.ts";

export interface SymbolicatorStoresOptions {
  /** The SQLite file of the state store; it must be there, and of the newest schema. */
  statePath: string;
  /** The folder of uploads. */
  blobDir: string;
}

/** Opens the stores that the symbolicator reads, on its own thread. `SYMBOLICATOR_STORES_MODULE` names this module. */
export async function openSymbolicatorStores(options: SymbolicatorStoresOptions): Promise<SymbolicatorStores> {
  const state = await openSqliteState({ path: options.statePath, readOnly: true });
  const blobs = await openBlobFiles({ dir: options.blobDir });
  return {
    artifacts: state.artifactIndex,
    blobs,
    publicFiles: createPublicFiles({ projects: state.directory }),
    close: () => state.close(),
  };
}

export const SYMBOLICATOR_STORES_MODULE = import.meta.url;
