import type { SubscriptionReason } from "../../domain/issues/comment.ts";
import type { AssigneeRef } from "../../domain/issues/triage.ts";
import type { Scope } from "../../domain/scope.ts";

/** A comment on an issue. In the activity it is an entry `commented`, with the `text` in `data`. */
export interface Comment {
  id: number;
  issueId: number;
  /** Null: the account is gone. */
  user: { id: number; name: string } | null;
  text: string;
  at: number;
  /** Null: never. */
  editedAt: number | null;
}

/** `not-own`: somebody else wrote it. */
export type CommentResult =
  | { ok: true; comment: Comment }
  | { ok: false; reason: "not-found" | "too-many" | "not-own" };

interface Writing {
  issueId: number;
  text: string;
  mentions: readonly AssigneeRef[];
  userId: number;
  at: number;
}

/** What a user is to an issue: subscribed or not, and what the user marked and saw. */
export interface IssueReader {
  /** Null: not subscribed. */
  subscription: SubscriptionReason | null;
  /** True: the user asked not to be subscribed. */
  isUnsubscribed: boolean;
  isBookmarked: boolean;
  /** Milliseconds since 1970; null: they never looked at it. */
  seenAt: number | null;
  /** Until when the issue is hidden from the user's lists and mail. Milliseconds since 1970, perhaps past. Null: never snoozed. */
  snoozedUntil: number | null;
}

export const NO_READER: IssueReader = {
  subscription: null,
  isUnsubscribed: false,
  isBookmarked: false,
  seenAt: null,
  snoozedUntil: null,
};

/** Comments, and who follows issues. Only people who see the project are told and listed. */
export interface CommentStore {
  /**
   * Adds a comment, and subscribes the writer and the mentioned people. The outbox tells each subscriber once; with `isQuiet`, nobody is
   * told. An issue has at most `MAX_COMMENTS`.
   */
  addComment(scope: Scope, comment: Writing & { isQuiet?: boolean }): Promise<CommentResult>;
  /** Changes a comment of the user's own. Tells people whom the new text mentions and the old one did not. */
  changeComment(scope: Scope, change: Writing & { commentId: number }): Promise<CommentResult>;
  /** Deletes a comment of the user's own, and returns it. */
  deleteComment(scope: Scope, of: { issueId: number; commentId: number; userId: number }): Promise<CommentResult>;
  /** Null: there is no such comment, or it was deleted. */
  getComment(scope: Scope, of: { issueId: number; commentId: number }): Promise<Comment | null>;
  /** Newest first. */
  listComments(scope: Scope, issueId: number, limit: number): Promise<Comment[]>;
  countComments(scope: Scope, issueIds: readonly number[]): Promise<Map<number, number>>;

  /** What the user is to these issues, by id. Issues with which the user has nothing to do are left out. */
  listReaders(scope: Scope, userId: number, issueIds: readonly number[]): Promise<Map<number, IssueReader>>;
  /** The people who looked at the issue, the last one first, at most `limit`. */
  listSeenBy(
    scope: Scope,
    issueId: number,
    limit: number,
  ): Promise<Array<{ id: number; name: string; seenAt: number }>>;
  /** Changes the given fields. After `isSubscribed: false`, only the person's own choice subscribes them again. */
  changeReader(
    scope: Scope,
    change: {
      issueIds: readonly number[];
      userId: number;
      at: number;
      isSubscribed?: boolean;
      /** The exact value before a change. Null: the user never decided. */
      subscription?: SubscriptionReason | "off" | null;
      isBookmarked?: boolean;
      hasSeen?: boolean;
      /** Null ends it. */
      snoozedUntil?: number | null;
    },
  ): Promise<void>;
  hasSnoozes(userId: number, now: number): Promise<boolean>;
  /** The users who have snoozed these issues at that instant. */
  listSnoozers(
    scope: Scope,
    issueIds: readonly number[],
    now: number,
  ): Promise<Array<{ issueId: number; userId: number; email: string }>>;
}
