import type { IssueShare } from "../../domain/issues/shared-issue.ts";
import type { Scope } from "../../domain/scope.ts";

export type CreateShareResult =
  | { ok: true; share: IssueShare }
  /** `off`: the organization does not allow links. */
  | { ok: false; reason: "not-found" | "too-many" | "off" };

/** `off`: the organization does not allow links. `unseen`: the person who made it no longer sees the project. */
export type RestoreShareResult =
  | { ok: true; share: IssueShare }
  | { ok: false; reason: "gone" | "over" | "unseen" | "too-many" | "off" };

/** Links by which strangers see a little of an issue. One that is over, or whose maker does not see the project any more, does not exist. */
export interface ShareStore {
  /** Creates a link. An issue has at most `MAX_SHARES`. */
  createShare(
    scope: Scope,
    share: { issueId: number; tokenHash: string; userId: number | null; at: number; expiresAt: number },
  ): Promise<CreateShareResult>;
  /** Newest first. */
  listShares(scope: Scope, issueId: number, now: number): Promise<IssueShare[]>;
  /** The given issues that have a link. */
  listSharedIssues(scope: Scope, issueIds: readonly number[], now: number): Promise<Set<number>>;
  /** Ends a link, which `undoableBy` may restore (null: nobody). Returns whether there was one. */
  endShare(
    scope: Scope,
    of: { issueId: number; shareId: number; undoableBy: number | null; now: number },
  ): Promise<boolean>;
  /** Ends all of the issue for good, also those that somebody might have restored. */
  endShares(scope: Scope, of: { issueId: number; now: number }): Promise<void>;
  /** Lets the same link work again until its old end. `gone`: the user did not end it last. */
  restoreShare(
    scope: Scope,
    of: { issueId: number; shareId: number; userId: number; now: number },
  ): Promise<RestoreShareResult>;
  areSharesAllowed(scope: Scope): Promise<boolean>;
  /** Allows or forbids links in the organization. While they are forbidden, existing links do not work. They work again afterwards. */
  allowShares(scope: Scope, isAllowed: boolean): Promise<void>;
}

/** Links as strangers use them. */
export interface ShareLinks {
  findShare(tokenHash: string, now: number): Promise<{ issueId: number; expiresAt: number } | null>;
}
