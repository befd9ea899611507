import type { Assignee, AssigneeRef } from "../issues/triage.ts";

export const FEEDBACK_STATUSES = ["unresolved", "resolved", "spam"] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/** `feedback`: what a widget or `captureFeedback` sends. `report`: the older kind, which is always about an event. */
export type FeedbackSource = "feedback" | "report";

/** User feedback as its item has it. Texts are cut to their limits. */
export interface SentFeedback {
  source: FeedbackSource;
  /** Place of the item in its envelope. */
  itemIndex: number;
  /** The id that other items of the same envelope share. */
  eventId: string | null;
  aboutEventId: string | null;
  traceId: string | null;
  replayId: string | null;
  name: string | null;
  email: string | null;
  message: string;
  /** URL of the page, exactly as it was sent: it may be any text. */
  url: string | null;
  environment: string | null;
  release: string | null;
  /** `Chrome 126`. */
  browser: string | null;
  /** Equal texts have equal hashes. Null: too short to tell anything. */
  textHash: string | null;
  /** A hash of who sent it. Null: nothing is known of them. */
  sender: string | null;
}

export type AppliedFeedback = SentFeedback & { sequence: number; projectId: number; receivedAt: number };

/** Why something is in *Spam*. `hand`: somebody put it there. See `judgeSpam` for the others. */
export type SpamReason = "hand" | "many_senders" | "known_text";

export interface Feedback extends Omit<SentFeedback, "itemIndex" | "textHash" | "sender"> {
  id: number;
  projectId: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** The issue of the event that the feedback is about. Null: it is about no event, or the event is not known yet. */
  issueId: number | null;
  status: FeedbackStatus;
  spamReason: SpamReason | null;
  isRead: boolean;
  assignee: Assignee | null;
  /** The person who changed the status last. Null: nobody, or a token. */
  changedBy: { id: number; name: string } | null;
  changedAt: number | null;
}

/** A change of feedback. An absent field stays as it is. */
export interface FeedbackChange {
  status?: FeedbackStatus | undefined;
  isRead?: boolean | undefined;
  /** Null: nobody. */
  assignee?: AssigneeRef | null | undefined;
}

/** The values of a piece of feedback before a change. */
export interface PreviousFeedback {
  id: number;
  status: FeedbackStatus;
  isRead: boolean;
  assignee: AssigneeRef | null;
}

/** Longer ones are cut. Characters. */
export const MAX_MESSAGE_LENGTH = 4_096;

/**
 * Whether the message was cut at its limit. A cut that would split a surrogate pair removes the whole pair, so the message may be one
 * character shorter.
 */
export function isCutMessage(message: string): boolean {
  return message.length >= MAX_MESSAGE_LENGTH - 1 && message.endsWith("…");
}
export const MAX_CONTACT_LENGTH = 200;
export const MAX_URL_LENGTH = 2_000;

/** Per project. When there is more feedback, the oldest is deleted, and feedback in *Spam* goes first. */
export const MAX_FEEDBACK_OF_PROJECT = 50_000;
