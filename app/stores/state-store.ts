import type { GroupingExplanation } from "../domain/grouping.ts";
import type { Issue, IssueStatus, IssueSubstatus } from "../domain/issue.ts";
import type { Level } from "../domain/level.ts";
import type { Outcome, OutcomeCount } from "../domain/outcome.ts";
import type { Project, ProjectKey } from "../domain/project.ts";
import type { Resolution, ResolutionRequest } from "../domain/release.ts";
import type { User } from "../domain/user.ts";
import type { ArtifactStore, WantedSourceMap } from "./artifact-store.ts";
import type { AppliedCheckIn, MonitorStore } from "./monitor-store.ts";
import type { RegroupStore } from "./regroup-store.ts";
import type { ReleaseStore } from "./release-store.ts";
import type { RepositoryStore } from "./repository-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { WantedSourceMapStore } from "./wanted-source-map-store.ts";

/** How long an issue is `new`, from its first event. Source: the words people know (new is up to seven days old). */
export const NEW_ISSUE_MS = 7 * 24 * 60 * 60 * 1000;

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
  /** Whether maps that are there may say more of it: they were not read in time. See RegroupStore.listLateIssues. */
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

export interface IssueQuery {
  /** Null: all projects. */
  projectIds: number[] | null;
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
  /** Empty or absent: all. */
  levels?: Level[];
  isUnhandled?: boolean;
  /** Issues whose earliest event names this release. */
  firstRelease?: string;
  /** Issues with an event of this release, at any time. */
  release?: string;
  /** Case-insensitive part of title, culprit or short id. All must match. */
  text?: string[];
  /** Largest or latest first. `events` are those in the time range and environments, `users` all of the issue. */
  sort: "last_seen" | "first_seen" | "events" | "users";
  /**
   * Opaque, from an earlier page of the same order; null: the first. It names a place between two issues, so rows that
   * come in elsewhere neither repeat nor hide any. What is no such cursor gives the first page, and so does one with
   * nothing left on its side.
   */
  cursor: string | null;
  /** 1 to 100. */
  limit: number;
}

export interface IssueListRow extends Issue {
  /** Events in the query's time range and environments; hours that the range touches count whole. */
  matchingEventCount: number;
}

export interface IssuePage {
  issues: IssueListRow[];
  nextCursor: string | null;
  previousCursor: string | null;
  /** How many match, counted up to 1,000. */
  matchingCount: number;
}

export interface IssueActivity {
  id: number;
  issueId: number;
  at: number;
  /**
   * In `data`: of `first_seen` and `regressed` the `eventId`, of `regressed` the event's `release` where it has one; of
   * `resolved` the `resolution` where there is one; `isUndo` where it was one. Of `joined` (events of another issue came
   * here), `split_off` (this issue was made of events of another) and `moved_away` (events went to another): the other's
   * `shortId` and `issueId`, the number of `events`, and of `joined` whether the other issue ended in this one (`isWhole`).
   * What happened to that other issue before has its short id as `ofShortId`; `first_seen` there is once, the earliest.
   */
  kind: "first_seen" | "resolved" | "archived" | "reopened" | "regressed" | "joined" | "split_off" | "moved_away";
  /** Null: Culprit itself. */
  user: { id: number; name: string } | null;
  data: Record<string, unknown>;
}

/** What an issue was before its status changed. */
export interface PreviousStatus {
  issueId: number;
  status: IssueStatus;
  substatus: IssueSubstatus;
  resolution: Resolution | null;
}

export interface IssueHash {
  hash: string;
  grouping: GroupingExplanation;
  firstSeenAt: number;
  /** Whether the event that brought it found the issue by a key of `IssueOccurrence.kin`: none of its hashes was known. */
  isFoundByKin: boolean;
}

export interface Organization {
  slug: string;
  name: string;
  createdAt: number;
}

export interface OutcomeQuery {
  /** Null: all projects. */
  projectIds: number[] | null;
  /** By when the request was received; hours that the range touches count whole. */
  from: number;
  to: number;
  /** Whole hours, in milliseconds, counted from 1970 (UTC); null: one sum over the range. */
  bucketMs: number | null;
  groupBy: Array<"outcome" | "reason" | "category" | "project">;
  /** Absent: all; an empty list matches nothing. So for the next two. */
  outcomes?: Outcome[];
  categories?: string[];
  reasons?: string[];
}

export interface OutcomeSum {
  /** Start of the bucket; the range's start when there are no buckets. */
  at: number;
  outcome?: Outcome;
  reason?: string;
  category?: string;
  projectId?: number;
  quantity: number;
}

/** What people change, and the counts that lists are sorted by. */
export interface StateStore
  extends ArtifactStore,
    MonitorStore,
    RegroupStore,
    ReleaseStore,
    RepositoryStore,
    TokenStore,
    WantedSourceMapStore {
  // The machines' path: one writer.
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

  // Issues
  listIssues(query: IssueQuery): Promise<IssuePage>;
  /**
   * An issue that ended in another one (see RegroupStore) is that one: here, in the two below, for changes of status, and
   * in `listActivity` and `listIssueHashes`.
   */
  getIssue(issueId: number): Promise<Issue | null>;
  /** In any case, and with O for 0, I or L for 1. */
  getIssueByShortId(shortId: string): Promise<Issue | null>;
  /** Same order as asked, each once, without those that do not exist. */
  getIssues(issueIds: number[]): Promise<Issue[]>;
  /**
   * Events per bucket for each issue, unknown ones included; buckets without events are present with zero. Buckets are
   * whole hours or days counted from 1970 (UTC): the first is the one that `from` lies in, the last ends at or after `to`.
   * @throws {RangeError} when `bucketMs` is not whole hours, or for more than 10,000 buckets.
   */
  listTrends(
    issueIds: number[],
    range: { from: number; to: number; bucketMs: number; environments?: string[] },
  ): Promise<Map<number, number[]>>;
  /**
   * Gives, for undo, what each changed issue was before. An issue already in the status is left alone, unless it is
   * resolved, and `resolution` is given (null too) and another. Commits that a release of the project has become that
   * release, the oldest of them.
   */
  changeIssueStatus(change: {
    issueIds: number[];
    status: IssueStatus;
    /** Only with `resolved`; absent or null: time alone decides. */
    resolution?: ResolutionRequest | null;
    userId: number | null;
    at: number;
  }): Promise<PreviousStatus[]>;
  /**
   * Puts back what `changeIssueStatus` gave; where that changes the status or the resolution, the activity is marked
   * `isUndo`. Without a `resolution`, an issue that becomes resolved again waits for what it waited for last.
   */
  restoreIssueStatuses(
    previous: Array<Omit<PreviousStatus, "resolution"> & { resolution?: Resolution | null }>,
    by: { userId: number | null; at: number },
  ): Promise<void>;
  /** Newest first, at most 200. */
  listActivity(issueId: number): Promise<IssueActivity[]>;
  /** All keys of an issue, with why (of the first event that brought it) and since when. */
  listIssueHashes(issueId: number): Promise<IssueHash[]>;

  // Organization, people
  getOrganization(): Promise<Organization | null>;
  /** Atomic; fails with `already-set-up` when there is an owner. Also makes the built-in project `culprit`, after the first one. */
  setUp(input: {
    organization: { slug: string; name: string };
    owner: { email: string; name: string; passwordHash: string };
    project: { slug: string; name: string; platform: string } | null;
    at: number;
  }): Promise<{ ok: true; userId: number; project: Project | null } | { ok: false; reason: "already-set-up" }>;
  getUser(userId: number): Promise<User | null>;
  findCredentials(email: string): Promise<{ userId: number; passwordHash: string } | null>;
  getOwner(): Promise<User | null>;
  changePassword(userId: number, passwordHash: string): Promise<void>;
  createSession(session: {
    tokenHash: string;
    userId: number;
    createdAt: number;
    expiresAt: number;
    userAgent: string | null;
  }): Promise<void>;
  getSession(tokenHash: string, now: number): Promise<{ userId: number; expiresAt: number } | null>;
  extendSession(tokenHash: string, expiresAt: number): Promise<void>;
  deleteSession(tokenHash: string): Promise<void>;
  /** Ends what else the user is signed in with; gives how many sessions that were. */
  deleteOtherSessions(userId: number, keptTokenHash: string): Promise<number>;
  deleteExpiredSessions(now: number): Promise<number>;

  // Projects and keys
  listProjects(): Promise<Project[]>;
  getProject(projectId: number): Promise<Project | null>;
  getProjectBySlug(slug: string): Promise<Project | null>;
  /** Comes with one key, labelled `Default`. */
  createProject(input: {
    slug: string;
    name: string;
    platform: string;
    at: number;
  }): Promise<{ ok: true; project: Project } | { ok: false; reason: "slug-taken" }>;
  changeProject(
    projectId: number,
    change: Partial<
      Pick<Project, "name" | "slug" | "platform" | "allowedOrigins" | "sourceLinks" | "fetchesSourceMaps">
    >,
  ): Promise<{ ok: true; project: Project } | { ok: false; reason: "slug-taken" | "not-found" }>;
  /** Of one project, or of all: what ingest keeps in memory. */
  listKeys(projectId: number | null): Promise<ProjectKey[]>;
  createKey(input: { projectId: number; label: string; publicKey: string; at: number }): Promise<ProjectKey>;
  changeKey(
    keyId: number,
    change: { label?: string; isEnabled?: boolean; rateLimit?: ProjectKey["rateLimit"] },
  ): Promise<ProjectKey | null>;
  deleteKey(keyId: number): Promise<boolean>;
  /** Grows whenever a project or key changes, whichever process or thread changed it: cheap to ask. */
  configurationVersion(): Promise<number>;

  // The loss ledger
  /** By bucket, then by what it is grouped by; sums of zero are absent. @throws {RangeError} as `listTrends` does */
  sumOutcomes(query: OutcomeQuery): Promise<OutcomeSum[]>;
  /** Counts what never reached the journal (start-up, repairs); anything else goes through `applyBatch`. */
  addOutcomes(outcomes: OutcomeCount[]): Promise<void>;
  /** Drops trends, ledger rows and wanted source maps older than their retention; gives how many rows went. */
  dropBefore(instantMs: number): Promise<number>;

  ping(): Promise<void>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
