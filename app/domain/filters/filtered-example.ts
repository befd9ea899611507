import { DAY_MS } from "../time.ts";

/** How long an example of a filtered event is kept. */
export const EXAMPLE_LIFE_MS = DAY_MS;
/** Characters in the JSON of an example. A larger event gives no example. */
export const MAX_EXAMPLE_CHARS = 262_144;

/** An event that a filter rejected, kept for a day so that people can see what they lose. */
export interface FilteredExample {
  projectId: number;
  /** See `FilterReason`. */
  reason: string;
  eventId: string;
  /** The title that its issue would have. */
  title: string;
  receivedAt: number;
  /** JSON of a `StoredEvent`, masked as stored events are. */
  payload: string;
}
