import type { IssueShare } from "../../domain/issues/shared-issue.ts";
import type { Scope } from "../../domain/scope.ts";

export type CreateShareResult =
  | { ok: true; share: IssueShare }
  /** `off`: the organization does not allow links. */
  | { ok: false; reason: "not-found" | "too-many" | "off" };

/** `off`: the organization does not allow links. `unseen`: whoever made it does not see the project any more. */
export type RestoreShareResult =
  | { ok: true; share: IssueShare }
  | { ok: false; reason: "gone" | "over" | "unseen" | "too-many" | "off" };

/** Links by which strangers see a little of an issue. One that is over, or whose maker does not see the project any more, does not exist. */
export interface ShareStore {
  /** At most `MAX_SHARES` of an issue. */
  createShare(
    scope: Scope,
    share: { issueId: number; tokenHash: string; userId: number | null; at: number; expiresAt: number },
  ): Promise<CreateShareResult>;
  /** Newest first. */
  listShares(scope: Scope, issueId: number, now: number): Promise<IssueShare[]>;
  /** Those of the issues that have a link. */
  listSharedIssues(scope: Scope, issueIds: readonly number[], now: number): Promise<Set<number>>;
  /** Ends one, which `undoableBy` may restore (null: nobody). Gives whether there was one. */
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
  /** For the organization. While they are not allowed, links that were made before lead nowhere; they hold again afterwards. */
  allowShares(scope: Scope, isAllowed: boolean): Promise<void>;
}

/** Links as strangers use them. */
export interface ShareLinks {
  findShare(tokenHash: string, now: number): Promise<{ issueId: number; expiresAt: number } | null>;
}
