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
  /** Where older feedback begins; null: there is none. A page may be short, or empty, where a search looks through much. */
  nextBefore: number | null;
}

export type FeedbackCounts = Record<FeedbackStatus, { total: number; unread: number }>;

/** What feedback is about. */
export type FeedbackSubject = { issueId: number } | { projectId: number; eventId: string };

/** What users said. `BatchStore.applyBatch` brings it. */
export interface FeedbackStore {
  listFeedback(scope: Scope, query: FeedbackQuery): Promise<FeedbackPage>;
  countFeedback(scope: Scope): Promise<FeedbackCounts>;
  getFeedback(scope: Scope, id: number): Promise<Feedback | null>;
  /** The newest that was sent under the id, as `Feedback.eventId`. */
  getFeedbackByEvent(scope: Scope, eventId: string): Promise<Feedback | null>;
  /** Newest first, without what is in *Spam*; `count` of all of it. */
  listFeedbackAbout(
    scope: Scope,
    subject: FeedbackSubject,
    limit: number,
  ): Promise<{ feedback: Feedback[]; count: number }>;
  /**
   * Changes what is in the scope, and gives those that changed as they were. `refusedIds`: the assignee does not see their project; these
   * stay as they were.
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

/** Feedback whose event may have come by now. */
export interface UnlinkedFeedback {
  id: number;
  projectId: number;
  aboutEventId: string;
}

/** What its event says of feedback. */
export interface FeedbackLink {
  id: number;
  issueId: number;
  traceId: string | null;
  environment: string | null;
  release: string | null;
}

/** What a message about feedback tells. */
export type FeedbackNewsItem = Pick<Feedback, "id" | "projectId" | "message" | "name" | "email" | "url">;

/** Feedback that was stored before there was an inbox, with what its event says of it. */
export type EarlierFeedback = AppliedFeedback & { link: Omit<FeedbackLink, "id"> | null };

/** The server's own. */
export interface EarlierFeedbackStore {
  /** Whether all feedback of earlier versions was looked through. */
  isListed(): Promise<boolean>;
  /**
   * Atomic: lists feedback below all that is there, as read, and tells nobody. Gives how many. What is there already, an older report of an
   * event, and what is too much for its project are passed over.
   *
   * @param feedback the newest first; a later call has older ones
   */
  listEarlier(feedback: readonly EarlierFeedback[]): Promise<number>;
  noteListed(): Promise<void>;
}

/** The server's own. */
export interface FeedbackLinks {
  /** Oldest first: what came since, is about an event, and has no issue yet. `afterId`: those with higher ids. */
  listUnlinked(query: { since: number; afterId: number; limit: number }): Promise<UnlinkedFeedback[]>;
  /** Null: it is gone, or in *Spam*. */
  readNews(id: number): Promise<FeedbackNewsItem | null>;
  /** What feedback says of itself stays. */
  linkFeedback(links: readonly FeedbackLink[]): Promise<void>;
}
