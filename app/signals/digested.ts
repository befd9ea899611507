import type { SentFeedback } from "../domain/feedback/feedback.ts";
import type { IssueOccurrence } from "../domain/issues/occurrence.ts";
import type { CheckIn } from "../domain/monitor.ts";
import type { NewRow } from "../stores/events/rows.ts";
import type { AppliedOutcome, FilteredEvent } from "../stores/state/batch-store.ts";

/** The result of the map stage for a run of journal records, in their order. */
export interface Digested {
  items: DigestedItem[];
  outcomes: SequencedOutcome[];
  setAside: SetAside[];
  /** Events that their project does not take in. Absent: none. Their outcomes are among the others. */
  filtered?: FilteredEvent[];
}

/** An arrived item with everything that is stored of it. It is stored as a whole, or left out as a repeat. */
export interface DigestedItem {
  /** Sequence of its journal record. */
  sequence: number;
  projectId: number;
  receivedAt: number;
  /**
   * The identity of the item within its project, which is the same however often it is sent: 32 lower-case hex characters. Null: a repeat
   * cannot be told from a new item.
   */
  identity: string | null;
  /** True if it came with an event in the same envelope. It then is a repeat if the event is one. */
  dependsOnEvent: boolean;
  /** True if the other items of its envelope depend on it. */
  hasDependents: boolean;
  /** The outcome under which it counts, unless it is a repeat. */
  outcome: SequencedOutcome;
  environment: string | null;
  rows: readonly NewRow[];
  /** The payload that is stored whole. Null: none. */
  payload: Uint8Array | null;
  /** The issue occurrence, if the item belongs to an issue. */
  occurrence?: IssueOccurrence;
  /** The check-in of a monitor, if it is one. */
  checkIn?: CheckIn;
  /** User feedback, if it contains any. */
  feedback?: SentFeedback;
  /** The release of its sessions, and when the first of them began. */
  session?: { release: string; startedAt: number };
}

export type SequencedOutcome = AppliedOutcome;

/** An item that could not be digested, and is kept for an operator. */
export interface SetAside {
  sequence: number;
  /** Place of the item in its envelope; null when the whole record could not be read. */
  itemIndex: number | null;
  reason: string;
  bytes: Uint8Array;
}

export function emptyDigested(): Digested {
  return { items: [], outcomes: [], setAside: [] };
}
