import type { KnownIssue } from "../../domain/issues/known-issue.ts";
import type { Scope } from "../../domain/scope.ts";
import type { SelectedEvent } from "../events/event-deletion.ts";
import type { RowKey } from "../events/event-log.ts";

export type DeletionKind = "issue" | "event" | "project" | "user";

/**
 * `asked`: out of the lists, rows are being deleted. `hidden`: nobody can see anything of it; waits for records that had come before.
 * `swept`: these are gone, too; waits for the next erasure. `erasing`: payload files are being written again. `done`: no file has it.
 */
export type DeletionPhase = "asked" | "hidden" | "swept" | "erasing" | "done";

export interface DeletionRow {
  id: number;
  kind: DeletionKind;
  /** Short id or slug; never content. */
  label: string;
  /** Null: of several projects. */
  projectId: number | null;
  askedAt: number;
  /** Null: a token of the organization. */
  user: { id: number; name: string } | null;
  phase: DeletionPhase;
  eventCount: number;
  /** What belonged to the events. */
  itemCount: number;
  doneAt: number | null;
}

/** What is to be found and deleted. */
export type DeletionTarget =
  | { kind: "issues"; projectId: number; issueIds: number[] }
  | { kind: "events"; projectId: number; eventIds: string[]; issueId: number }
  | { kind: "project"; projectId: number };

export interface OpenDeletion extends Omit<DeletionRow, "user" | "doneAt"> {
  target: DeletionTarget;
}

/** Who asks, and when. */
export interface DeletionRequest {
  userId: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** What people ask to have deleted. Outside of the scope there is nothing to delete. */
export interface DeletionStore {
  /**
   * Atomic: the issues are gone from every list at once, and an event that comes from now on makes a new one. Gives those that were
   * there.
   */
  deleteIssues(
    scope: Scope,
    request: DeletionRequest & { issueIds: readonly number[] },
  ): Promise<Array<{ issueId: number; projectId: number; shortId: string }>>;
  /** Events of an issue with these ids. An issue that has no other event must be deleted instead. */
  deleteEvents(
    scope: Scope,
    request: DeletionRequest & { projectId: number; eventIds: readonly string[]; issueId: number; label: string },
  ): Promise<boolean>;
  /**
   * Atomic: the project is gone with its keys, and everything in it is deleted by and by. False: there is no such project.
   */
  deleteProject(scope: Scope, request: DeletionRequest & { projectId: number }): Promise<boolean>;
  /** The newest first, at most 200. `withProjects`: deleted projects, too, which no scope has any more. */
  listDeletions(scope: Scope, options?: { withProjects: boolean }): Promise<DeletionRow[]>;
}

/** The texts that an issue has of its latest event. */
export type IssueHeadline = Pick<
  KnownIssue,
  "title" | "type" | "value" | "culprit" | "level" | "platform" | "logger" | "isUnhandled"
>;

/** The server's side of it: what the job needs. */
export interface DeletionWork {
  /** Those that are not done, at most `limit`: the least advanced first, so that none waits for others, and of these the oldest. */
  listOpen(limit: number): Promise<OpenDeletion[]>;
  /**
   * Atomic: notes events before their rows are deleted, and counts them as deleted instead of accepted. What was noted before counts no
   * second time.
   */
  noteEvents(deletionId: number, events: readonly SelectedEvent[]): Promise<void>;
  /** So many rows of a project went: at least, and once. */
  noteRows(deletionId: number, rows: number): Promise<void>;
  /** Deletes some rows of the state that are left of a deleted issue or project; gives how many, 0 when none was left. */
  purge(deletionId: number, limit: number): Promise<number>;
  /** What an issue shows of its latest event. */
  showLatest(issueId: number, latest: IssueHeadline): Promise<void>;
  setPhase(deletionId: number, phase: DeletionPhase): Promise<void>;
  /** Which of these events are deleted and not erased yet, as `${projectId}:${identity}`. */
  findDeleted(keys: readonly RowKey[]): Promise<Set<string>>;
  /** Projects that are deleted and not erased yet. */
  listDeletedProjects(): Promise<number[]>;
  /** Days on which deleted events came that are not erased: since 1970, ascending. */
  listDeletedDays(): Promise<number[]>;
  /** Atomic: the deletions that are swept are being erased, from these files. */
  beginErasure(fileIds: readonly number[]): Promise<void>;
  listErasures(): Promise<number[]>;
  endErasure(fileId: number): Promise<void>;
  /** Atomic: what was being erased is done. Gives how many deletions that ended. */
  finish(at: number): Promise<number>;
}
