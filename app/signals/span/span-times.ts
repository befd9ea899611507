import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { parseTimestampSeconds } from "../../protocol/timestamps.ts";
import type { ArrivedItem } from "../signal.ts";
import { toDriftMs } from "../stored-item.ts";

const MAX_FUTURE_US = 60_000_000;
const MAX_AGE_US = 30 * DAY_MS * 1000;
/** The year 2255: from there on, microseconds are no longer exact. */
const MAX_SECONDS = 9e9;

/** Microseconds since 1970, as sent; null when it is no time. */
export function readMicroseconds(value: unknown): number | null {
  const seconds = parseTimestampSeconds(value);
  return seconds === null || seconds > MAX_SECONDS ? null : Math.round(seconds * 1e6);
}

/** Gives how far a time is to be moved; both in microseconds. */
export type ShiftOf = (endUs: number) => number;

/** What one clock showed is sent together within less. */
const MAX_GAP_US = HOUR_MS * 1000;

/**
 * How far the times of what one sender sent together are to be moved, in microseconds: by the drift of the sender's clock, and to the
 * arrival where they are far off all the same (protocol 5.2). Times ahead that are an hour or more away from the others move alone: one
 * wrong time must not move them all.
 *
 * @param endsUs when each span ended, or each log line was written
 * @returns gives the shift of one of these times
 */
export function findShifts(endsUs: readonly number[], item: ArrivedItem): ShiftOf {
  const receivedUs = item.entry.receivedAt * 1000;
  const driftUs = toDriftMs(item) * 1000;
  const isAhead = (endUs: number) => endUs + driftUs > receivedUs + MAX_FUTURE_US;
  const ahead = new Map<number, number>();
  const latestOfAllUs = endsUs.reduce((latest, endUs) => Math.max(latest, endUs), 0);
  const sorted = isAhead(latestOfAllUs) ? Float64Array.from(endsUs).sort() : [latestOfAllUs];
  let last = sorted.length - 1;
  while (last >= 0 && isAhead(sorted[last] as number)) {
    const shiftUs = receivedUs - (sorted[last] as number);
    let first = last;
    while (first > 0 && (sorted[first] as number) - (sorted[first - 1] as number) < MAX_GAP_US) first--;
    for (; last >= first; last--) ahead.set(sorted[last] as number, shiftUs);
  }
  const latestUs = sorted[last] ?? 0;
  const isOld = latestUs + driftUs < receivedUs - MAX_AGE_US;
  const shiftUs = isOld ? receivedUs - latestUs : driftUs;
  return (endUs) => ahead.get(endUs) ?? shiftUs;
}
