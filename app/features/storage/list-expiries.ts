import type { Expiry } from "../../domain/storage/plan-storage.ts";
import type { StoredSignal } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import { formatDay, listSignals } from "./signal-words.ts";

/** What is deleted on one day, as a line of the page. */
export interface ExpiryLine {
  /** The day of the deletion: `Nov 29`. */
  on: string;
  /** What is deleted: `Errors and replays of Oct 3`. */
  what: string;
  reason: Expiry["reason"];
  bytes: number;
}

/** The lines in the order of deletion. Signals of a day that are deleted together are one line. */
export function listExpiries(expiries: readonly Expiry[], now: number): ExpiryLine[] {
  const groups = new Map<string, { first: Expiry; signals: Array<StoredSignal | null>; bytes: number }>();
  for (const expiry of expiries) {
    const key = `${expiry.at} ${expiry.reason} ${expiry.day}`;
    const group = groups.get(key) ?? { first: expiry, signals: [], bytes: 0 };
    group.signals.push(expiry.signal);
    group.bytes += expiry.bytes;
    groups.set(key, group);
  }
  return Array.from(groups.values(), ({ first, signals, bytes }) => ({
    on: formatDay(first.at / DAY_MS, now),
    what: `${listSignals(signals)} of ${formatDay(first.day, now)}`,
    reason: first.reason,
    bytes: Math.round(bytes),
  }));
}
