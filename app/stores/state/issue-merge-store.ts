import type { IssueMerge } from "../../domain/issues/issue-merge.ts";
import type { Scope } from "../../domain/scope.ts";

export type MergeRefusal =
  | "not-found"
  /** Issues of two projects have different keys, releases and rules. */
  | "other-project"
  | "undone-before"
  /** The event store does not know yet that the issue ended. It takes some seconds. */
  | "not-settled";

/** Issues that become one, and come apart again. An issue outside of the scope is one that does not exist. */
export interface IssueMergeStore {
  /**
   * Atomic. The issues end in the target: their hashes, counts, and what happened to them are its own from then on, and their ids and short
   * ids lead to it. Each is a merge of its own.
   */
  mergeIssues(
    scope: Scope,
    change: {
      targetId: number;
      issueIds: readonly number[];
      name: string | null;
      /** Merged without a rule: the hashes are forgotten, so their later events become a new issue. */
      isOnce?: boolean;
      userId: number | null;
      at: number;
    },
  ): Promise<{ ok: true; merges: IssueMerge[] } | { ok: false; reason: MergeRefusal }>;
  /**
   * Restores the merged issue with its id, short id, status and hashes. Atomic. A job then moves each stored event of its hashes back
   * to it, including those that came after the merge, and counts them again.
   */
  undoMerge(
    scope: Scope,
    change: { mergeId: number; userId: number | null; at: number },
  ): Promise<{ ok: true; merge: IssueMerge } | { ok: false; reason: MergeRefusal }>;
  /** False: there is no such merge. */
  renameMerge(scope: Scope, change: { mergeId: number; name: string }): Promise<boolean>;
  /** Merges in a project, or into one issue. Newest first, at most 200. */
  listMerges(scope: Scope, of: { projectId: number; issueId?: number }): Promise<IssueMerge[]>;
}

/** An issue whose stored events are to be given to the issues of their hashes. */
export interface RegroupingRequest {
  issueId: number;
  projectId: number;
  askedAt: number;
  /** True: each event is grouped by the present rules. False: by the key that it was stored with. */
  byRules: boolean;
}

/** The requests to the job that moves events. */
export interface RegroupingRequests {
  /** The oldest first. */
  listRequests(limit: number): Promise<RegroupingRequest[]>;
  /** Notes how many events were looked at. */
  noteProgress(request: { issueId: number; askedAt: number; doneCount: number }): Promise<void>;
  /** Keys of events that a merge without a rule brought into the issue. These events stay, even if the keys lead elsewhere. */
  listKeptHashes(issueId: number): Promise<string[]>;
  /** Unless somebody has asked again since. */
  endRequest(request: { issueId: number; askedAt: number }): Promise<void>;
  /** Issues that came of splits of this issue which were undone: their events are to come back. */
  listUndoneSplitIssues(issueId: number): Promise<number[]>;
}
