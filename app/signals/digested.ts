import type { SentFeedback } from "../domain/feedback/feedback.ts";
import type { IssueOccurrence } from "../domain/issues/occurrence.ts";
import type { CheckIn } from "../domain/monitor.ts";
import type { NewRow } from "../stores/events/rows.ts";
import type { AppliedOutcome, FilteredEvent } from "../stores/state/batch-store.ts";

/** What the map stage makes of a run of journal records, in their order. */
export interface Digested {
  items: DigestedItem[];
  outcomes: SequencedOutcome[];
  setAside: SetAside[];
  /** Events that their project does not take in. Absent: none. Their outcomes are among the others. */
  filtered?: FilteredEvent[];
}

/** One thing that came, with everything that is stored of it: kept as a whole, or left out as a repeat. */
export interface DigestedItem {
  /** Of its journal record. */
  sequence: number;
  projectId: number;
  receivedAt: number;
  /**
   * What tells it from everything else of its project, however often it is sent: 32 lower-case hex characters. Null: a repeat
   * cannot be told from something new.
   */
  identity: string | null;
  /** It came with an event of the same envelope, and is a repeat when that is one. */
  dependsOnEvent: boolean;
  /** It is what the others of its envelope depend on. */
  hasDependents: boolean;
  /** What it counts as, unless it is a repeat. */
  outcome: SequencedOutcome;
  environment: string | null;
  rows: readonly NewRow[];
  /** What is kept of it whole; null: nothing. */
  payload: Uint8Array | null;
  /** How it touches an issue. */
  occurrence?: IssueOccurrence;
  /** What it says of its monitor. */
  checkIn?: CheckIn;
  /** What a user said in it. */
  feedback?: SentFeedback;
  /** The release of its sessions, and when the first of them began. */
  session?: { release: string; startedAt: number };
}

export type SequencedOutcome = AppliedOutcome;

/** Something that could not be digested, and is kept for an operator to look at. */
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
