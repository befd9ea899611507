import { DAY_MS } from "./time.ts";

/** The version by which events are grouped. */
export const GROUPING_VERSION = 2;

/**
 * How long events of a project that moves to version 2 are also looked up by their keys of version 1. Three months is the usual
 * retention. An issue without events for that long has none left, so it may as well become a new issue.
 */
const MOVE_OVER_MS = 90 * DAY_MS;

/** When the lookup by keys of version 1 ends. Both times are milliseconds since 1970. */
export function movedOverBy(movedAt: number): number {
  return movedAt + MOVE_OVER_MS;
}
