import { DAY_MS } from "./time.ts";

/** The version by which events are grouped. */
export const GROUPING_VERSION = 2;

/**
 * For how long the events of a project that moves over are looked up by their keys of version 1 too. The events of an issue that had none
 * for a quarter of a year are gone, at the usual retention: then it is no news that it is a new issue.
 */
const MOVE_OVER_MS = 90 * DAY_MS;

/** When the project's events are looked up by version 2 alone. Milliseconds since 1970, as `movedAt` is. */
export function movedOverBy(movedAt: number): number {
  return movedAt + MOVE_OVER_MS;
}
