import type { KnownIssue } from "../../domain/issues/known-issue.ts";
import type { Positions } from "../../domain/journal-positions.ts";
import type { NamedUser } from "../../domain/named-user.ts";
import type { Scope } from "../../domain/scope.ts";
import type { SelectedEvent, SelectedItem } from "../events/event-deletion.ts";
import type { RowKey } from "../events/event-log.ts";

export type DeletionKind = "issue" | "event" | "project" | "user";

/**
 * The phases of a deletion. `asked`: removed from the lists; rows are being deleted. `hidden`: nothing of it is visible; waits for records
 * that had come before. `swept`: these are deleted, too; waits for the next erasure. `erasing`: payload files are being rewritten, and then
 * the logs of the databases emptied. `done`: no payload file, journal or log contains it.
 */
export type DeletionPhase = "asked" | "hidden" | "swept" | "erasing" | "done";

export interface DeletionRow {
  id: number;
  kind: DeletionKind;
  /** Short id, slug, or a number of projects; never content. */
  label: string;
  /** Null: of several projects. */
  projectId: number | null;
  askedAt: number;
  /** Null: a token of the organization. */
  user: { id: number; name: string } | null;
  phase: DeletionPhase;
  eventCount: number;
  /** Items that belonged to the events. */
  itemCount: number;
  doneAt: number | null;
  /** The rows to look through for a user's data. Null: there are none, or all were looked through. */
  progress: { doneRows: number; totalRows: number } | null;
}

/** How far the rows were looked through for the data of one user. */
export interface UserScan {
  /** `late`: rows that were stored only after the first round had begun. */
  round: "first" | "late";
  table: "events" | "items" | "done";
  /** Rows that came until then are done: milliseconds since 1970. */
  after: number;
  /** Rows of records from this one of each journal on were not stored when the first round began. One number: from a version with one journal. */
  lateFrom: Positions | number;
  doneRows: number;
  totalRows: number;
}

/** An issue that still counts deleted events or users. */
export interface TouchedIssue {
  issueId: number;
  /** Null: it is deleted. */
  projectId: number | null;
  /** The number of events that the issue has now. */
  eventCount: number;
  /** The number of events that the deletion removed from it. */
  takenEvents: number;
  /** The issue, and issues that were merged into it. */
  issueIds: number[];
  /** Keys of users who may have no event left in it. */
  userKeys: string[];
}

/** The data that a deletion finds and deletes. */
export type DeletionTarget =
  | { kind: "issues"; projectId: number; issueIds: number[] }
  | { kind: "events"; projectId: number; eventIds: string[]; issueId: number }
  | { kind: "project"; projectId: number }
  | { kind: "user"; projectIds: number[]; user: NamedUser };

export interface OpenDeletion extends Omit<DeletionRow, "user" | "doneAt" | "progress"> {
  target: DeletionTarget;
  /** Null: not begun. */
  scan: UserScan | null;
}

/** The person who asks, and the time. */
export interface DeletionRequest {
  userId: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Deletions that people ask for. Data outside of the scope cannot be deleted. */
export interface DeletionStore {
  /** Removes the issues from every list at once. A later event makes a new issue. Returns the issues that existed. Atomic. */
  deleteIssues(
    scope: Scope,
    request: DeletionRequest & { issueIds: readonly number[] },
  ): Promise<Array<{ issueId: number; projectId: number; shortId: string }>>;
  /** Events of an issue with these ids. An issue that has no other event must be deleted instead. */
  deleteEvents(
    scope: Scope,
    request: DeletionRequest & { projectId: number; eventIds: readonly string[]; issueId: number; label: string },
  ): Promise<boolean>;
  /** Removes the project and its keys at once; its data is deleted in the background. False: there is no such project. Atomic. */
  deleteProject(scope: Scope, request: DeletionRequest & { projectId: number }): Promise<boolean>;
  /** Deletes everything that one user sent to the projects of the scope so far. Returns the id of the deletion. */
  deleteUser(scope: Scope, request: DeletionRequest & { user: NamedUser; label: string }): Promise<number>;
  /**
   * Newest first, at most 200. `withProjects` adds deleted projects, which are in no scope, and deletions over several projects.
   * `userId` adds those that this person asked for.
   */
  listDeletions(scope: Scope, options?: { withProjects: boolean; userId?: number | null }): Promise<DeletionRow[]>;
}

/** The texts that an issue has of its latest event. */
export type IssueHeadline = Pick<
  KnownIssue,
  "title" | "type" | "value" | "culprit" | "level" | "platform" | "logger" | "isUnhandled"
>;

/** The server's side of it: what the job needs. */
export interface DeletionWork {
  /** Open deletions, at most `limit`. The least advanced come first, so that none waits for others; among these, the oldest. */
  listOpen(limit: number): Promise<OpenDeletion[]>;
  /**
   * Notes events before their rows are deleted, and counts them as deleted instead of accepted. Events that were noted before are not
   * counted again. Atomic.
   */
  noteEvents(deletionId: number, events: readonly SelectedEvent[]): Promise<void>;
  /** The same for items that are deleted without their event. */
  noteItems(deletionId: number, items: readonly SelectedItem[]): Promise<void>;
  /** Atomic: where the deletion is; with `users`, the issues that count them are touched. */
  saveScan(
    deletionId: number,
    scan: UserScan,
    users?: { projectIds: readonly number[]; userKeys: readonly string[] },
  ): Promise<void>;
  /** Issues that are still to be settled, at most `limit`. */
  listTouched(deletionId: number, limit: number): Promise<TouchedIssue[]>;
  /**
   * Atomic: the issue counts these users no more; without an event it goes, too. False: it has got
   * events meanwhile, so it has to be looked at again.
   */
  settleTouched(
    deletionId: number,
    issue: TouchedIssue & { goneUserKeys: readonly string[]; isEmpty: boolean },
  ): Promise<boolean>;
  /** Adds deleted rows of a project to the count. It is a lower bound, and no row counts twice. */
  noteRows(deletionId: number, rows: number): Promise<void>;
  /** Deletes some of the remaining state rows of a deleted issue or project. Returns how many; 0 when none is left. */
  purge(deletionId: number, limit: number): Promise<number>;
  /** Sets what an issue shows of its latest event. */
  showLatest(issueId: number, latest: IssueHeadline): Promise<void>;
  setPhase(deletionId: number, phase: DeletionPhase): Promise<void>;
  /** The given events that are deleted but not erased yet, as `${projectId}:${identity}`. */
  findDeleted(keys: readonly RowKey[]): Promise<Set<string>>;
  /** Projects that are deleted and not erased yet. */
  listDeletedProjects(): Promise<number[]>;
  /** Days on which deleted events came that are not erased: since 1970, ascending. */
  listDeletedDays(): Promise<number[]>;
  /** Atomic: the deletions that are swept are being erased, from these files. */
  beginErasure(fileIds: readonly number[]): Promise<void>;
  listErasures(): Promise<number[]>;
  endErasure(fileId: number): Promise<void>;
  /**
   * Forgets the notes about the data that was being erased, because no payload file contains it any more. The deletion is done once the
   * logs of the databases are empty. Atomic.
   */
  forget(): Promise<void>;
  /** The number of deletions that were forgotten before they were done. */
  countForgotten(): Promise<number>;
  /** Marks these deletions as done. Returns how many there were. Atomic. */
  finish(at: number): Promise<number>;
}
