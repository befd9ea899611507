import { DAY_MS } from "../../domain/time.ts";
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

/**
 * How far the times of what came together are to be moved, in microseconds: by the drift of the sender's clock, and to the
 * arrival where they are far off all the same (protocol 5.2).
 *
 * @param lastUs the latest of them
 */
export function findShiftUs(lastUs: number, item: ArrivedItem): number {
  const receivedUs = item.entry.receivedAt * 1000;
  const shiftUs = toDriftMs(item) * 1000;
  const at = lastUs + shiftUs;
  return at > receivedUs + MAX_FUTURE_US || at < receivedUs - MAX_AGE_US ? receivedUs - lastUs : shiftUs;
}
