import type { SentryEvent } from "./event.ts";
import type { GroupingExplanation } from "./grouping.ts";

/** What the payload of an error event holds, as JSON. */
export interface StoredEvent {
  event: SentryEvent;
  /** Null for kinds that are not grouped into issues. */
  grouping: GroupingExplanation | null;
}
