import type { Act, Ending, FeedbackNews, Told, Transition } from "../../domain/notification.ts";

/** A change of an issue, or feedback of a user. It is written in the transaction of the change. */
export interface OutboxEntry {
  /** Grows with every entry, and is never given again. */
  position: number;
  transition: Transition | Ending | Act | FeedbackNews;
  projectId: number;
  /** 0: of feedback. */
  issueId: number;
  /** Only for `feedback`. */
  feedbackId?: number;
  /** The event that caused it; empty: none did. The time of an archive was over, or a trouble was. */
  eventId: string;
  /** When the event was received. If the issue came back without an event: when it came back. Milliseconds since 1970. */
  at: number;
  /** Release of that event. */
  release: string | null;
  /** Only for acts. */
  told: Told | null;
}

/**
 * Entries that are kept for readers that do not come. Beyond it the oldest are deleted, and counted as lost for each reader
 * that had them before it: about 1 MB.
 */
export const MAX_OUTBOX_ENTRIES = 10_000;

/** Records what happened to issues, for readers that each go at their own pace. `BatchStore.applyBatch`, `ArchiveStore`, `FindingStore` and `TriageStore` write it. */
export interface OutboxStore {
  /** Adds a reader, which starts with the next new entry. A known reader keeps its position. */
  addReader(reader: string): Promise<void>;
  /** The entries after the reader's position, oldest first. */
  readOutbox(reader: string, limit: number): Promise<OutboxEntry[]>;
  /** Puts the reader after an entry. Entries that every reader has passed are deleted. */
  passOutbox(reader: string, position: number): Promise<void>;
  /** The number of kept entries, and how many of them readers have lost so far. */
  countOutbox(): Promise<{ entries: number; lost: number }>;
}
