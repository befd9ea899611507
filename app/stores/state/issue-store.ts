import type { EnvironmentOverflow } from "../../domain/environments.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import type { Issue, IssueStatus, IssueSubstatus } from "../../domain/issue.ts";
import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import type { PreviousStatus, RestoredStatus } from "../../domain/issues/change-status.ts";
import { toAssigneeText } from "../../domain/issues/triage.ts";
import type { UnsettledEvents } from "../../domain/issues/unsettled-events.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import type { Scope } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import type { SearchedRow } from "../../domain/search/matches-condition.ts";

export interface IssueQuery {
  /** Only these. Absent: all. */
  issueIds?: readonly number[];
  /**
   * Empty or absent: all. An issue matches when an event in the time range has one of them; the empty string stands for
   * events without an environment.
   */
  environments?: string[];
  /**
   * Issues with an event (by `occurredAt`) in this range: milliseconds, inclusive and exclusive; null: open. Exact for a
   * range that takes in the latest event; in one that ends before it, an event counts by its hour.
   */
  from: number | null;
  to: number | null;
  /** Empty or absent: all. */
  statuses?: IssueStatus[];
  /** Empty or absent: all. Otherwise only unresolved issues match. */
  substatuses?: IssueSubstatus[];
  isUnhandled?: boolean;
  /** Issues whose earliest event names this release. */
  firstRelease?: string;
  /** Issues with an event of this release, at any time. */
  release?: string;
  /** Case-insensitive part of title, culprit or short id. All must match. */
  text?: string[];
  /** A search on issues, in the fields of `toSearchedIssue`. */
  where?: Condition;
  /**
   * Largest or latest first. `events` are those in the time range and environments, `users` all of the issue. `priority`: the most
   * urgent first, and of these the latest.
   */
  sort: "last_seen" | "first_seen" | "events" | "users" | "priority";
  /**
   * Opaque, from an earlier page of the same order; null: the first. It names a place between two issues, so rows that
   * come in elsewhere neither repeat nor hide any. An invalid cursor, or one with nothing left on its side, returns the
   * first page.
   */
  cursor: string | null;
  /** 1 to 100. */
  limit: number;
}

/** An issue as searches see it in memory: the names are those of `IssueQuery.where`. */
export function toSearchedIssue(issue: Issue): SearchedRow {
  const fields: Record<string, string | number | null> = {
    id: issue.id,
    projectId: issue.projectId,
    text: [issue.title, issue.culprit, issue.shortId].join("\n").toLowerCase(),
    shortId: issue.shortId,
    title: issue.title,
    type: issue.type,
    value: issue.value,
    culprit: issue.culprit,
    level: issue.level,
    platform: issue.platform,
    isUnhandled: issue.isUnhandled ? 1 : 0,
    status: issue.status,
    substatus: issue.substatus,
    eventCount: issue.eventCount,
    userCount: issue.userCount,
    firstSeenAt: issue.firstSeenAt,
    lastSeenAt: issue.lastSeenAt,
    firstRelease: issue.firstRelease,
    assignee: issue.assignee && toAssigneeText(issue.assignee),
    priority: issue.priority,
  };
  return { field: (name) => fields[name] ?? null, tag: () => null, tagValues: () => [] };
}

export interface IssueListRow extends Issue {
  /** Events in the query's time range and environments; hours that the range touches count whole. */
  matchingEventCount: number;
}

export interface IssuePage {
  issues: IssueListRow[];
  nextCursor: string | null;
  previousCursor: string | null;
  /** The number of matching issues, counted up to 1,000. */
  matchingCount: number;
}

export interface IssueActivity {
  id: number;
  issueId: number;
  at: number;
  /**
   * The kind of the entry. It decides which fields `data` has:
   * - `first_seen`, `regressed`: the `eventId`. `regressed` also has the event's `release`, if it has one.
   * - `resolved`: the `resolution`, if there is one. Also the `commit` (`id`, `repository`) that said it fixes the issue, or the `reason`
   * why the issue ended without a person.
   * - `archived`: its rule as `archive`, if it has one.
   * - `reopened`: that rule, if it brought the issue back, and the `eventId`, if an event did.
   * - `joined` (events of another issue came here), `split_off` (this issue was made of events of another), `moved_away` (events went to
   * another): the other's `shortId` and `issueId`, and the number of `events`. `joined` also has whether the other issue ended in this one
   * (`isWhole`).
   * - A change of status or resolution that was an undo also has `isUndo`.
   * - `assigned`: the `assignee` at that time. `assigned` and `unassigned`: the `reason`, if a removal or a return did it.
   * - `priority_set`: the `priority`. Null: the rule decides again.
   * - `commented`: the `text` in Markdown, and `editedAt` if it was changed; see CommentStore.
   * - `linked`, `unlinked`: the `url` and the `name` of the task elsewhere.
   * - `events_deleted`: the number of `events`, and `isOfUser` if all data of one user was deleted.
   *
   * Entries of another issue from before it ended in this one have its short id as `ofShortId`. There is only one `first_seen`, the
   * earliest.
   */
  kind:
    | "first_seen"
    | "resolved"
    | "archived"
    | "reopened"
    | "regressed"
    | "joined"
    | "split_off"
    | "moved_away"
    | "events_deleted"
    | "assigned"
    | "unassigned"
    | "acknowledged"
    | "unacknowledged"
    | "priority_set"
    | "commented"
    | "linked"
    | "unlinked";
  /** Null: Culprit itself. */
  user: { id: number; name: string } | null;
  data: Record<string, unknown>;
}

export interface IssueHash {
  hash: string;
  grouping: GroupingExplanation;
  firstSeenAt: number;
  /** True if none of its hashes was known, and the event that brought it found the issue by a key of `IssueOccurrence.kin`. */
  isFoundByAlias: boolean;
}

export interface IssueStatusRequest {
  issueIds: number[];
  status: IssueStatus;
  /** Only with `resolved`. Absent or null: only the time decides. */
  resolution?: ResolutionRequest | null;
  /** Only with `archived`: what brings the issue back. Absent or null: nothing does. */
  archive?: ArchiveRule | null;
  /** The commit that says that it fixes the issues. The activity names it. */
  commit?: { id: string; repository: string };
  userId: number | null;
  at: number;
}

/** Fields by which issues are counted. `substatus` is that of unresolved issues. */
export type CountedIssueField =
  | "status"
  | "substatus"
  | "isUnhandled"
  | "level"
  | "platform"
  | "type"
  | "culprit"
  | "projectId"
  | "firstRelease";

export interface CountedIssueValues {
  /** Values as texts, `isUnhandled` as 0 and 1. Most frequent first. */
  values: Array<{ value: string; count: number }>;
  /** False: only the 10,000 issues that were seen last are counted. */
  isComplete: boolean;
}

/**
 * Issues as people read and change them. Their events make them: see BatchStore. An issue outside of the scope is one that
 * does not exist.
 */
export interface IssueStore {
  listIssues(scope: Scope, query: IssueQuery): Promise<IssuePage>;
  countIssueValues(scope: Scope, of: { field: CountedIssueField; limit: number }): Promise<CountedIssueValues>;
  /**
   * Returns an issue. The id of an issue that ended in another one (see ReprocessingStore) stands for that one: here, in the next two
   * methods, for changes of status, and in `listActivity` and `listIssueHashes`.
   */
  getIssue(scope: Scope, issueId: number): Promise<Issue | null>;
  /** Accepts any case, O for 0, and I or L for 1. */
  getIssueByShortId(scope: Scope, shortId: string): Promise<Issue | null>;
  /** The issues in the order of the ids, without repeats and without ids that do not exist. */
  getIssues(scope: Scope, issueIds: number[]): Promise<Issue[]>;
  /**
   * Events by bucket for each issue. Unknown issues and empty buckets are present with zero. Buckets are whole hours or days counted
   * from 1970 (UTC): the first contains `from`, the last ends at or after `to`.
   * @throws {RangeError} when `bucketMs` is not whole hours, or for more than 10,000 buckets.
   */
  listTrends(
    scope: Scope,
    issueIds: number[],
    range: { from: number; to: number; bucketMs: number; environments?: string[] },
  ): Promise<Map<number, number[]>>;
  /** Events whose environments found no room in their projects, at most 1,000 projects. */
  listEnvironmentOverflows(scope: Scope): Promise<EnvironmentOverflow[]>;
  /**
   * Gives, for undo, what each changed issue was before. An issue already in the status is left alone, unless it is
   * resolved, and `resolution` is given (null too) and another, or archived, and `archive` is another. Commits that a release of the project has become that
   * release, the oldest of them.
   */
  changeIssueStatus(scope: Scope, change: IssueStatusRequest): Promise<PreviousStatus[]>;
  /**
   * Restores the values that `changeIssueStatus` returned. If that changes the status or the resolution, the activity is marked `isUndo`.
   * Without a `resolution` or an `archive`, the issue waits for the same as before. An archive rule that it had last continues its count.
   */
  restoreIssueStatuses(
    scope: Scope,
    previous: RestoredStatus[],
    by: { userId: number | null; at: number },
  ): Promise<void>;
  /** Newest first, at most 200. */
  listActivity(scope: Scope, issueId: number): Promise<IssueActivity[]>;
  /** All keys of an issue, with the reason (from the first event that brought the key) and the time. */
  listIssueHashes(scope: Scope, issueId: number): Promise<IssueHash[]>;
  /**
   * Events of the issue that are still being moved or deleted after a merge, split, undo or deletion. Empty: all are where they belong.
   * Names at most 50 issues of each kind.
   */
  listUnsettled(scope: Scope, issueId: number): Promise<UnsettledEvents[]>;
}
