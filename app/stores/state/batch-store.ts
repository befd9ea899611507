import type { GroupingExplanation } from "../../domain/grouping.ts";
import type { Level } from "../../domain/level.ts";
import type { OutcomeCount } from "../../domain/outcome.ts";
import type { WantedSourceMap } from "./artifact-store.ts";
import type { AppliedCheckIn } from "./monitor-store.ts";

/** One error event as it touches its issue. Instants are milliseconds since 1970. */
export interface IssueOccurrence {
  /** Sequence of the journal record; occurrences are in this order. */
  sequence: number;
  projectId: number;
  eventId: string;
  /**
   * Keys of the grouping within the project, the main one first; at least one. The first that is known decides the
   * issue; those that are not known yet belong to the same issue from then on.
   */
  hashes: string[];
  /**
   * For errors in browsers, whose engines see different stacks. When none of `hashes` is known, the first of `seek` that an
   * earlier occurrence left decides the issue. When the main hash is recorded, every key of `leave` that is still free in
   * the project is recorded with the issue, to be found by `seek` alone: not as a hash. 32 hex characters each.
   */
  kin?: { seek: string[]; leave: string[] } | null;
  grouping: GroupingExplanation;
  occurredAt: number;
  receivedAt: number;
  title: string;
  type: string | null;
  value: string;
  culprit: string;
  level: Level;
  platform: string;
  logger: string | null;
  isUnhandled: boolean;
  /** Filters name events without one by the empty string. */
  environment: string | null;
  /** Made a release of the project, unless `cleanReleaseVersion` (domain/release-version.ts) does not allow it. */
  release: string | null;
  /** See EventRow.userKey. */
  userKey: string | null;
  /** What frames could not be mapped by; the first 20 are kept. */
  wantedSourceMaps?: WantedByEvent[];
  /** Whether maps that are there may say more of it: they were not read in time. See ReprocessingStore.listLateIssues. */
  isMappedLate?: boolean;
}

/** See WantedSourceMap. */
export type WantedByEvent = Pick<WantedSourceMap, "debugId" | "release" | "dist" | "sampleUrl" | "isForeign">;

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
