import type { Tracker } from "../../domain/issues/tracker.ts";
import type { Scope } from "../../domain/scope.ts";

/** A task in another tracker that an issue is linked to. */
export interface ExternalIssue {
  id: number;
  url: string;
  name: string;
  at: number;
}

/** `known`: the issue is linked to it already. */
export type ExternalIssueResult =
  | { ok: true; link: ExternalIssue }
  | { ok: false; reason: "not-found" | "too-many" | "known" };

/** Links of issues to other trackers. Both changes of a link write activity. */
export interface ExternalIssueStore {
  /** Oldest first. */
  listExternalIssues(scope: Scope, issueId: number): Promise<ExternalIssue[]>;
  /** Adds one. An issue has at most `MAX_EXTERNAL_ISSUES`. */
  addExternalIssue(
    scope: Scope,
    link: { issueId: number; url: string; name: string; userId: number | null; at: number },
  ): Promise<ExternalIssueResult>;
  /** Removes one, and returns it. */
  removeExternalIssue(
    scope: Scope,
    of: { issueId: number; linkId: number; userId: number | null; at: number },
  ): Promise<ExternalIssueResult>;
  getTracker(scope: Scope, projectId: number): Promise<Tracker | null>;
  /** Null: none. */
  setTracker(scope: Scope, projectId: number, tracker: Tracker | null): Promise<void>;
}
