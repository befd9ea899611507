import type { AppliedFeedback } from "../../domain/feedback/feedback.ts";
import type { IssueOccurrence } from "../../domain/issues/occurrence.ts";
import type { AppliedCheckIn } from "../../domain/monitors/apply-check-ins.ts";
import type { CountedOutcome } from "../../domain/outcomes/count-outcomes.ts";
import type { ReleaseSighting } from "../../domain/releases/name-releases.ts";
import type { VolumeReason } from "../../domain/volume/decide-volume.ts";
import type { VolumeSettings } from "../../domain/volume/volume-settings.ts";

export interface StateBatch {
  journalId: string;
  /** Exclusive: after the commit, every record below this sequence is applied. */
  upTo: number;
  /**
   * Exclusive: the records below are in every store, and those from there on may be read again after a crash, although other batches have had
   * some of them. Absent: none of an earlier batch is read again.
   */
  storedUpTo?: number;
  occurrences: IssueOccurrence[];
  /** The outcomes of each record's items. Counted unless the record was applied before. */
  outcomes: AppliedOutcome[];
  /** In the order of their records. The monitors count them unless the record was applied before. */
  checkIns?: AppliedCheckIn[];
  /** In the order of their records. Stored unless the record was applied before. */
  feedback?: AppliedFeedback[];
  /** Releases that sessions name, without repeats in a project. Made and linked unless the record was applied before. */
  releases?: readonly ReleaseSighting[];
  /** Events of the batch that are left out. Absent: none. */
  filtered?: readonly FilteredEvent[];
  /** Absent: everything is stored. */
  volume?: BatchVolume;
}

/** The rules by which occurrences of the batch may be counted and not stored. See `decideVolume`. */
export interface BatchVolume {
  /** Settings of projects that do not store everything. */
  settings: ReadonlyMap<number, VolumeSettings>;
  /** Errors that may be left out. */
  occurrences: ReadonlySet<IssueOccurrence>;
  /** The example that is kept of an occurrence that is left out. Null: none. */
  toExample(occurrence: IssueOccurrence, reason: VolumeReason): FilteredEvent["example"];
}

/** An event of the batch that is not stored, because the project does not take it in. The ledger counts it with `outcomes`. */
export interface FilteredEvent {
  sequence: number;
  projectId: number;
  receivedAt: number;
  eventId: string;
  /** See `FilterReason`. */
  reason: string;
  /** Kept for a day; null: none is needed. */
  example: { title: string; payload: string } | null;
}

/** Tells it from every other event of its journal. */
export function keyOfFiltered({ sequence, eventId }: Pick<FilteredEvent, "sequence" | "eventId">): string {
  return `${sequence} ${eventId}`;
}

/** The outcomes of a batch whose events are partly left out: what goes with such an event is filtered for the same reason. */
export function leaveOutOutcomes<Counted extends AppliedOutcome>(
  outcomes: readonly Counted[],
  leftOut: ReadonlyMap<IssueOccurrence, VolumeReason>,
): readonly Counted[] {
  if (leftOut.size === 0) return outcomes;
  const reasons = new Map([...leftOut].map(([occurrence, reason]) => [keyOfFiltered(occurrence), reason]));
  return outcomes.map((counted) => {
    const { sequence, ofEvent: eventId } = counted;
    const reason = eventId === undefined ? undefined : reasons.get(keyOfFiltered({ sequence, eventId }));
    return reason === undefined ? counted : { ...counted, outcome: "filtered", reason };
  });
}

/** An outcome of a record of the batch. */
export type AppliedOutcome = CountedOutcome & {
  sequence: number;
  /** The id of the event of the record that it goes with: where that is left out, it is filtered, too. */
  ofEvent?: string;
};

export interface IssueAssignment {
  issueId: number;
  /** The transition of the issue by this occurrence; null also for one that was applied before. */
  transition: "new" | "regressed" | null;
  /** The issue has counted it, and it is not to be stored. Absent: it is. */
  leftOut?: VolumeReason;
}

/** The writes of the digest, the only writer. */
export interface BatchStore {
  appliedSequence(journalId: string): Promise<number>;
  /**
   * `keyOfFiltered` of the events that the journal's last batch left out, and those before it from `StateBatch.storedUpTo` on: their records
   * may be read again, with other rules.
   */
  listLastFiltered(journalId: string): Promise<ReadonlySet<string>>;
  /**
   * Saves issues, counts, ledger, monitors, feedback, outbox and position together. Atomic. Returns one assignment per occurrence, in
   * order. Once it resolves, the batch survives a power cut, and the journal may delete its records. Refusals, and the reports that repeat
   * them, count in the order of their records, whatever their order in the batch is.
   *
   * Occurrences of records below the applied sequence are only looked up. They get the issue that the journal's last batch gave them, or
   * those before it from `storedUpTo` on, even if their hashes have changed. Otherwise their hash decides.
   *
   * The title and the other texts of an issue follow its latest event by `occurredAt`. A resolved issue regresses with the first event that
   * occurred and was received after the resolve. An archived one stays archived. If a resolved issue waits for a release, events of older
   * releases leave it resolved: with `release`, those before that one; with `next_release`, those up to `after`; with `commit`, all until a
   * release has the commit. If two releases are semantic versions of one package, the higher is the newer. Otherwise the one with the later
   * `releasedAt`, or else `createdAt`, is the newer. A release that is not made yet is newer than every other. For an event without a
   * release, only the time decides.
   * @throws {RangeError} when an occurrence belongs to a record that is not below `upTo`.
   */
  applyBatch(batch: StateBatch): Promise<IssueAssignment[]>;
}
