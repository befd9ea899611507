import type { StoredSignal } from "../stored-signal.ts";

/** In days. */
export interface Retention {
  /** Of counts, and of signals without days of their own. */
  days: number;
  signalDays: Readonly<Record<StoredSignal, number>>;
}
