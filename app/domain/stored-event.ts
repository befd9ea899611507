import type { SentryEvent } from "./event.ts";
import type { GroupingExplanation } from "./grouping.ts";

/** The JSON in the payload of an error event. */
export interface StoredEvent {
  event: SentryEvent;
  /** Null for kinds that are not grouped into issues. */
  grouping: GroupingExplanation | null;
}
