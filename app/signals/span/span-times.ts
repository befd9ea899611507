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

/** Returns by how much to move a time. Both are in microseconds. */
export type ShiftOf = (endUs: number) => number;

/** Times by one clock that were sent together are closer than this. Microseconds. */
const MAX_GAP_US = HOUR_MS * 1000;

/**
 * Finds by how much to move the times that one sender sent together, in microseconds. They move by the drift of the sender's clock, or to
 * the arrival if they are far off even then (protocol 5.2). A time ahead or too old that is an hour or more from the others moves alone:
 * one wrong time must not move all of them, and none may stay where no page looks.
 *
 * @param endsUs the end of each span, or the time of each log line
 * @returns gives the shift of one of these times
 */
export function findShifts(endsUs: readonly number[], item: ArrivedItem): ShiftOf {
  const receivedUs = item.entry.receivedAt * 1000;
  const driftUs = toDriftMs(item) * 1000;
  const isAhead = (endUs: number) => endUs + driftUs > receivedUs + MAX_FUTURE_US;
  const isOld = (endUs: number, shiftUs: number) => endUs + shiftUs < receivedUs - MAX_AGE_US;
  let [earliestUs, latestUs] = [Number.POSITIVE_INFINITY, 0];
  for (const endUs of endsUs) {
    earliestUs = Math.min(earliestUs, endUs);
    latestUs = Math.max(latestUs, endUs);
  }
  if (!isAhead(latestUs) && !isOld(earliestUs, driftUs)) return () => driftUs;
  const sorted = Float64Array.from(endsUs).sort();
  const alone = new Map<number, number>();
  const moveAlone = (first: number, last: number) => {
    const shiftUs = receivedUs - (sorted[last] as number);
    for (let at = first; at <= last; at++) alone.set(sorted[at] as number, shiftUs);
  };
  const isNext = (at: number) => (sorted[at] as number) - (sorted[at - 1] as number) < MAX_GAP_US;
  let last = sorted.length - 1;
  while (last >= 0 && isAhead(sorted[last] as number)) {
    let first = last;
    while (first > 0 && isNext(first)) first--;
    moveAlone(first, last);
    last = first - 1;
  }
  const latestOfOthersUs = sorted[last] ?? 0;
  const shiftUs = isOld(latestOfOthersUs, driftUs) ? receivedUs - latestOfOthersUs : driftUs;
  let first = 0;
  while (first <= last && isOld(sorted[first] as number, shiftUs)) {
    let end = first;
    while (end < last && isNext(end + 1)) end++;
    if (!isOld(sorted[end] as number, shiftUs)) break;
    moveAlone(first, end);
    first = end + 1;
  }
  return (endUs) => alone.get(endUs) ?? shiftUs;
}
