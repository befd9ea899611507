export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Whole hours since 1970, as `issue_hours` and `outcomes` count them. */
export function toHour(instantMs: number): number {
  return Math.floor(instantMs / HOUR_MS);
}

/** Whole days since 1970 (UTC), as `issue_days` counts them. */
export function toDay(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** The first hour that the range does not touch. */
export function toEndHour(exclusiveMs: number): number {
  return Math.ceil(exclusiveMs / HOUR_MS);
}
