import type { StoredSignal } from "../stored-signal.ts";

/** In days. */
export interface Retention {
  /** For counts, and for signals that have no days of their own. */
  days: number;
  signalDays: Readonly<Record<StoredSignal, number>>;
}
