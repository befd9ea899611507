export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** A sender's clock may be ahead by this much. An event that claims to be later happened on its arrival. */
export const MAX_AHEAD_MS = MINUTE_MS;

/** Whole hours since 1970. */
export function toHour(instantMs: number): number {
  return Math.floor(instantMs / HOUR_MS);
}

/** Whole days since 1970 (UTC). */
export function toDay(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** The first hour that the range does not touch. */
export function toEndHour(exclusiveMs: number): number {
  return Math.ceil(exclusiveMs / HOUR_MS);
}
