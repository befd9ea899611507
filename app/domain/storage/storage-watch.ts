import type { StoredSignal } from "../stored-signal.ts";
import type { ProjectStorage, StorageState } from "./storage-state.ts";

/** A day of a signal whose rows are missing, because the file that has them is damaged or gone. */
export interface LostDay {
  /** Days since 1970 (UTC). */
  day: number;
  signal: StoredSignal;
  /** The name of the file. */
  name: string;
  /** Null: that is not known any more. */
  rows: number | null;
  /** The next start brings them back. */
  isLogged: boolean;
}

export interface StorageWatch {
  /** Looks at the folder, and plans. */
  measure(): Promise<StorageState>;
  /** The last measurement. Null: there is none yet. */
  last(): StorageState | null;
  lostDays(): readonly LostDay[];
  /** Sums by project and signal, up to five minutes old. */
  sumByProject(): Promise<ProjectStorage[]>;
}
