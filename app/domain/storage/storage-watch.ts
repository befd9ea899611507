import type { ProjectStorage, StorageState } from "./storage-state.ts";

export interface StorageWatch {
  /** Looks at the folder, and plans. */
  measure(): Promise<StorageState>;
  /** As it was measured last; null: not yet. */
  last(): StorageState | null;
  /** By project and signal; up to five minutes old. */
  sumByProject(): Promise<ProjectStorage[]>;
}
