import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";

/** SDKs send spans within seconds of their end, even if the first attempt fails. */
const ARRIVING_MS = 30_000;
/** A job of an hour sends its last span when it ends. The page does not follow a trace that received nothing for longer. */
export const FOLLOWED_MS = HOUR_MS;
const MIN_PAUSE_MS = 3_000;

/** @param agoMs milliseconds since the newest span arrived; null: not known, or more than `FOLLOWED_MS` */
export function isArriving(agoMs: number | null): boolean {
  return agoMs !== null && agoMs < ARRIVING_MS;
}

/** Milliseconds until a page looks for more spans. The pause grows with the time since the newest span. Null: the page does not look. */
export function toPause(agoMs: number | null): number | null {
  return agoMs === null ? null : Math.min(MINUTE_MS, Math.max(MIN_PAUSE_MS, Math.round(agoMs / 10)));
}
