import type { SentryEvent } from "../domain/event.ts";
import type { CheckIn } from "../domain/monitor.ts";
import type { EventRow, ItemRow } from "../stores/event-store.ts";
import type { AppliedOutcome, IssueOccurrence } from "../stores/state/batch-store.ts";
import type { ArrivedItem } from "./digest-records.ts";

/** An error event, decided but for its issue and the place of its payload. */
export interface DigestedEvent {
  row: Omit<EventRow, "issueId" | "payload">;
  occurrence: IssueOccurrence;
  /** JSON of a StoredEvent. */
  payload: Uint8Array;
  /** What it counts as in the ledger. */
  category: string;
  /** See `OutcomeCount`. */
  canBeReported?: true;
}

/** An error event up to the place where source maps come in: normalised, neither scrubbed nor grouped. */
export interface UnmappedEvent {
  arrived: ArrivedItem;
  event: SentryEvent;
  eventId: string;
  category: string;
  /** How many of `Digested.events` come before it. */
  place: number;
}

/** Any other item, decided but for the place of its payload. */
export interface DigestedItem {
  row: Omit<ItemRow, "payload">;
  /** See `protocol/stored-item.ts`. */
  payload: Uint8Array;
  /** What it counts as, unless it belongs to an event that turns out to be a duplicate. */
  outcome: SequencedOutcome;
  /** What it says of its monitor. */
  checkIn?: CheckIn;
  /** Whether it came with an event of the same envelope and is worth nothing without it. */
  dependsOnEvent: boolean;
  /** Whether it is what the others of its envelope depend on, as on an event: a transaction, a feedback that came alone. */
  hasDependents: boolean;
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

/** Facts of a run of journal records, in their order. */
export interface Digested {
  events: DigestedEvent[];
  items: DigestedItem[];
  outcomes: SequencedOutcome[];
  setAside: SetAside[];
  /** Events that wait for their source maps; none are left when the run is committed. */
  unmapped: UnmappedEvent[];
}
