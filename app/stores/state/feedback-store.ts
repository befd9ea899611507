import type {
  AppliedFeedback,
  Feedback,
  FeedbackChange,
  FeedbackStatus,
  PreviousFeedback,
} from "../../domain/feedback/feedback.ts";
import type { Scope } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";

export interface FeedbackQuery {
  /** Null: any. */
  status: FeedbackStatus | null;
  /** Fields of `FEEDBACK_VOCABULARY`. */
  where: Condition;
  /** Older than the feedback with this id; null: from the newest on. */
  before: number | null;
  limit: number;
}

export interface FeedbackPage {
  /** Newest first. */
  feedback: Feedback[];
  /** Where older feedback begins. Null: there is none. A page may be short or empty while a search looks through much feedback. */
  nextBefore: number | null;
}

export type FeedbackCounts = Record<FeedbackStatus, { total: number; unread: number }>;

/** The subject of feedback: an issue, or an event. */
export type FeedbackSubject = { issueId: number } | { projectId: number; eventId: string };

/** The feedback of users. `BatchStore.applyBatch` adds it. */
export interface FeedbackStore {
  listFeedback(scope: Scope, query: FeedbackQuery): Promise<FeedbackPage>;
  countFeedback(scope: Scope): Promise<FeedbackCounts>;
  getFeedback(scope: Scope, id: number): Promise<Feedback | null>;
  /** The newest that was sent under the id, as `Feedback.eventId`. */
  getFeedbackByEvent(scope: Scope, eventId: string): Promise<Feedback | null>;
  /** The newest feedback about the subject, without *Spam*. `count` counts all of it. */
  listFeedbackAbout(
    scope: Scope,
    subject: FeedbackSubject,
    limit: number,
  ): Promise<{ feedback: Feedback[]; count: number }>;
  /**
   * Changes the feedback in the scope, and returns the previous values of what changed. `refusedIds`: the new assignee does not see its
   * project, so it stays as it was.
   */
  changeFeedback(
    scope: Scope,
    change: FeedbackChange & { ids: readonly number[]; userId: number | null; at: number },
  ): Promise<{ previous: PreviousFeedback[]; refusedIds: number[] }>;
  restoreFeedback(
    scope: Scope,
    previous: readonly PreviousFeedback[],
    by: { userId: number | null; at: number },
  ): Promise<void>;
}

/** Feedback whose event may have arrived by now. */
export interface UnlinkedFeedback {
  id: number;
  projectId: number;
  aboutEventId: string;
}

/** Facts about feedback that come from its event. */
export interface FeedbackLink {
  id: number;
  issueId: number;
  traceId: string | null;
  environment: string | null;
  release: string | null;
}

/** The fields of feedback that a message shows. */
export type FeedbackNewsItem = Pick<Feedback, "id" | "projectId" | "message" | "name" | "email" | "url">;

/** Feedback that was stored before there was an inbox, with the facts from its event. */
export type EarlierFeedback = AppliedFeedback & { link: Omit<FeedbackLink, "id"> | null };

/** The server's own. */
export interface EarlierFeedbackStore {
  /** Whether all feedback of earlier versions was looked through. */
  isListed(): Promise<boolean>;
  /**
   * Adds older feedback below all that is listed, as read, without telling anybody. Returns how many were added. Skips what is listed
   * already, an older report of an event, and what exceeds the limit of its project. Atomic.
   * @param feedback newest first; a later call has older feedback
   */
  listEarlier(feedback: readonly EarlierFeedback[]): Promise<number>;
  noteListed(): Promise<void>;
}

/** The server's own. */
export interface FeedbackLinks {
  /** Feedback since then that is about an event and has no issue yet, oldest first. `afterId`: only higher ids. */
  listUnlinked(query: { since: number; afterId: number; limit: number }): Promise<UnlinkedFeedback[]>;
  /** Null: it is gone, or in *Spam*. */
  readNews(id: number): Promise<FeedbackNewsItem | null>;
  /** Fields that the feedback itself has are not changed. */
  linkFeedback(links: readonly FeedbackLink[]): Promise<void>;
}
