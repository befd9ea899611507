import type { Issue } from "../../domain/issue.ts";
import type { RegroupedEvents, RegroupingByRules } from "../../domain/issues/regroup-events.ts";
import type { IssueHash } from "./issue-store.ts";

export interface Regrouping {
  fromIssueId: number;
  at: number;
  groups: RegroupedEvents[];
  /**
   * Whether the events are all that the event store has of the issue. If all of them leave it, its other counts (of events that were
   * dropped with time) move with them.
   */
  isComplete?: boolean;
  /**
   * Set if rules gave the events their new keys: no group then gives the from-issue its name, and it keeps its own. Absent: a source map
   * gave the events their new keys.
   */
  byRules?: RegroupingByRules;
}

export interface RegroupingResult {
  /** Every event that was given, once: those with another issue than the from-issue are to be given it in the event store. */
  events: Array<{ eventId: string; issueId: number }>;
  /**
   * The issues that gained events, and the from-issue where a group gave it its name (`kept`). `new` and `regressed` as in
   * IssueAssignment.
   */
  issues: Array<{
    issueId: number;
    outcome: "kept" | "joined" | "split_off";
    transition: "new" | "regressed" | null;
    eventCount: number;
  }>;
  /** The issue in which the from-issue ended; null: it goes on. */
  mergedInto: number | null;
}

/** A move of an event that the event store may not know yet. */
export interface EventMove {
  projectId: number;
  eventId: string;
  fromIssueId: number;
  toIssueId: number;
}

/** An issue that ended in another one. */
export interface MergedIssue {
  issueId: number;
  projectId: number;
}

/** An issue with events that were stored before a map that was there could be read. */
export interface LateIssue {
  issueId: number;
  /** The number of times that it was noted. It grows with every such event. */
  notedCount: number;
}

/** Moves events between issues if a source map that came later gives them other keys. */
export interface ReprocessingStore {
  /** Like `IssueStore.getIssue`, for any project. */
  getIssue(issueId: number): Promise<Issue | null>;
  /** Like `IssueStore.listIssueHashes`, for any project. */
  listIssueHashes(issueId: number): Promise<IssueHash[]>;
  /**
   * Moves the events of each group to an issue. Atomic. It is the issue that has the first known of the group's hashes, else the one that
   * has an alias fingerprint that the group seeks. Of the groups that no issue knows, the largest stays and gives the issue its hashes and
   * texts, unless a map has given the issue some before and other events stay in it. Each other group becomes an issue of its own, with the
   * status of the from-issue. From then on, each hash belongs to its group's issue.
   *
   * The from-issue ends when no event is left in it. Its id, short id, hashes, alias fingerprints and activity then belong to the issue to
   * which most of its events went. The merge stays unfinished for a while: batches that were applied before may bring the event store
   * further events of it.
   *
   * The other issue is exact afterwards: events, users, hours, environments, releases, first and last seen, texts of the latest event,
   * missing source maps. The from-issue is exact in its numbers of events (in all, by hour, by environment). If the event of its first or
   * last seen has left, that time is exact to the hour. Its users and releases include those of events that have left, until `recountIssue`
   * corrects them. When it ends with counts of dropped events, these users and releases count for the other issue.
   *
   * The other issue keeps its status, with one exception. It regresses if it is resolved, the from-issue is neither resolved nor archived,
   * and one of the events would have made it regress by the rules of `applyBatch` (with `occurredAt` alone).
   *
   * Each moved event is remembered until it is confirmed: if it is given again, it only gets its issue, and nothing counts twice.
   * @throws {RangeError} when there is no such issue, and none in which it ended.
   */
  regroupEvents(change: Regrouping): Promise<RegroupingResult>;
  /**
   * Atomic: recounts the issue from the events that it has: users, releases, first and last seen, texts of the latest
   * event. Returns false and changes nothing when the number of events differs: one came meanwhile, or retention removed
   * one.
   */
  recountIssue(issue: { issueId: number; groups: RegroupedEvents[] }): Promise<boolean>;
  /** Moves that were not confirmed, by project and event id: for after a crash. At most `limit`. */
  listEventMoves(limit: number): Promise<EventMove[]>;
  /** Call it once the event store has the events in their new issues. Returns how many were waiting for it. */
  confirmEventMoves(moves: ReadonlyArray<Pick<EventMove, "projectId" | "eventId">>): Promise<number>;
  /** Issues that ended, and may have events in the event store still. At most `limit`. */
  listUnfinishedMerges(limit: number): Promise<MergedIssue[]>;
  /**
   * Call it once the event store has applied every record that was applied here when the issues ended, and has no event of them: none can
   * come any more. Returns how many were waiting for it.
   */
  confirmMerges(issueIds: readonly number[]): Promise<number>;
  /** Issues of occurrences with `isMappedLate`, until they are forgotten; of one that ended, the other. At most `limit`. */
  listLateIssues(limit: number): Promise<LateIssue[]>;
  /** Forgets issues whose events are mapped. Issues that were noted again meanwhile stay. Returns how many were forgotten. */
  forgetLateIssues(issues: readonly LateIssue[]): Promise<number>;
}
