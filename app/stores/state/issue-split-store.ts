import type { IssueSplit } from "../../domain/grouping-rules/issue-split.ts";
import type { Scope } from "../../domain/scope.ts";

export type SplitRefusal =
  | "not-found"
  /** The issue is split by this value. */
  | "same-before"
  /** The project has `MAX_SPLITS` that hold. */
  | "too-many"
  | "undone-before";

/** Issues that are split by a value of their events. An issue outside of the scope is one that does not exist. */
export interface IssueSplitStore {
  /**
   * Atomic. Holds for the batches that are begun from then on; a job moves the stored events. The issue stays, with its status and history,
   * and keeps the events without a value.
   */
  splitIssue(
    scope: Scope,
    change: { issueId: number; variable: string; name: string; userId: number | null; at: number },
  ): Promise<{ ok: true; split: IssueSplit } | { ok: false; reason: SplitRefusal }>;
  /** Atomic. Events that come later are in the issue again; a job brings back the stored ones, and the issues that came of the split end. */
  undoSplit(
    scope: Scope,
    change: { splitId: number; userId: number | null; at: number },
  ): Promise<{ ok: true; split: IssueSplit } | { ok: false; reason: SplitRefusal }>;
  /** False: there is no such split. */
  renameSplit(scope: Scope, change: { splitId: number; name: string }): Promise<boolean>;
  /** Splits of a project, or of one issue and the issues that came of it. Newest first, at most 200. */
  listSplits(scope: Scope, of: { projectId: number; issueId?: number }): Promise<IssueSplit[]>;
  /** Issues whose stored events are being moved, with the events that were looked at. */
  listMovingIssues(scope: Scope, projectId: number): Promise<Array<{ issueId: number; doneCount: number }>>;
}
