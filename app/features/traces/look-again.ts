import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";

/** SDKs send spans within seconds of their end, also after a first failure. */
const ARRIVING_MS = 30_000;
/** Jobs of an hour send their last span when they end. A trace that gets nothing for longer is not looked at again. */
export const FOLLOWED_MS = HOUR_MS;
const MIN_PAUSE_MS = 3_000;

/** @param agoMs since the newest span came; null: nobody knows, or longer than `FOLLOWED_MS` */
export function isArriving(agoMs: number | null): boolean {
  return agoMs !== null && agoMs < ARRIVING_MS;
}

/** How long a page waits until it looks for more spans: the longer nothing came, the longer. Null: it does not. */
export function toPause(agoMs: number | null): number | null {
  return agoMs === null ? null : Math.min(MINUTE_MS, Math.max(MIN_PAUSE_MS, Math.round(agoMs / 10)));
}
