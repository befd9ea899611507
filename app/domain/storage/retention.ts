import type { StoredSignal } from "../stored-signal.ts";

/** Days for which data is kept. */
export interface Retention {
  /** For counts, and for signals without days of their own. */
  days: number;
  signalDays: Readonly<Record<StoredSignal, number>>;
}
