import type { IssueOccurrence } from "../../domain/issues/occurrence.ts";
import type { OutcomeCount } from "../../domain/outcome.ts";
import type { AppliedCheckIn } from "./monitor-store.ts";

export interface StateBatch {
  journalId: string;
  /** Exclusive: after the commit, every record below this sequence is applied. */
  upTo: number;
  occurrences: IssueOccurrence[];
  /** What each record's items became. Counted unless the record was applied before. */
  outcomes: AppliedOutcome[];
  /** In the order of their records. Counted for their monitors unless the record was applied before. */
  checkIns?: AppliedCheckIn[];
}

/**
 * Client reports are free text, and anyone with a DSN may send them: of one project and hour, so many pairs of category and
 * reason are counted under their own words. Further ones count under `withoutOwnWords`. SDKs know 15 reasons and some 17
 * categories, of which one project sees a few dozen pairs.
 */
export const MAX_REPORTED_PAIRS_PER_HOUR = 200;

/**
 * How long after a refusal a client report may speak of it. SDKs keep their counts in memory and send them with a timer of
 * a minute, when a page is hidden, or with their next envelope: an application that is idle over night reports in the
 * morning. Later than that, a report is likelier to speak of a network that failed, and must not vanish.
 */
export const MAX_REPORT_DELAY_MS = 24 * 60 * 60 * 1000;

export type AppliedOutcome = OutcomeCount & {
  sequence: number;
  /** Whether category and reason are the words of a client report. The server's own words are never taken away. */
  isFromClientReport?: boolean;
  /**
   * For a loss that an SDK reports and a refusal may have counted already: the refusal's possible categories, in order.
   * What was counted with `canBeReported` under them, in the project, in an earlier record, at most
   * `MAX_REPORT_DELAY_MS` (in whole hours) before and not taken by another report, is taken and not counted again.
   */
  refusedAs?: readonly string[];
};

export interface IssueAssignment {
  issueId: number;
  /** What this occurrence did to its issue; null also for one that had been applied before. */
  transition: "new" | "regressed" | null;
}

/** What the digest writes. One writer. */
export interface BatchStore {
  appliedSequence(journalId: string): Promise<number>;
  /**
   * Atomic: issues, counts, ledger, monitors and position together. Occurrences of records below the applied sequence only get
   * their issue looked up: the one that the journal's last batch gave them, though their hashes are others now, else by
   * hash. Gives one assignment per occurrence, in order. Once it resolves, the batch survives a power cut: the journal
   * may let go of its records. Refusals and the reports that repeat them count in the order of their records, however
   * they stand in the batch.
   *
   * Title and the other texts of an issue follow its latest event by `occurredAt`. A resolved issue regresses with the
   * first event that occurred and was received after the resolve; an archived one stays archived. Where it waits for a
   * release, events of older ones leave it resolved: with `release`, those before that one; with `next_release`, those up
   * to `after`; with `commit`, all until a release has the commit. Of two releases that are semantic versions of one
   * package, the higher is the newer; of others, that of the later `releasedAt` or else `createdAt`. A release that is
   * not made yet is newer than every other. Of an event without a release, time alone decides.
   * @throws {RangeError} when an occurrence belongs to a record that is not below `upTo`.
   */
  applyBatch(batch: StateBatch): Promise<IssueAssignment[]>;
}
