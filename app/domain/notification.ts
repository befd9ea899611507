import { HOUR_MS } from "./time.ts";

/** Changes of an issue that somebody may want to hear of. */
export const TRANSITIONS = ["new", "regressed"] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** An issue was resolved, by people or by Culprit itself. A piece of news for alert rules. */
export type Ending = "resolved";

/** News of alert rules that are not transitions: an issue was resolved, got a high priority, reached a number, or was not acknowledged. */
export const RULE_NEWS = ["resolved", "priority", "reached", "escalated"] as const;
export type RuleNews = (typeof RULE_NEWS)[number];

/** The kind of receiver of a message (stores/state/delivery-store.ts). */
export type TargetKind = "email" | "channel" | "person" | "push";

/** Acts of people that a person is told of, whatever the alert rules say. */
export const ACTS = ["assigned", "mentioned", "commented"] as const;
export type Act = (typeof ACTS)[number];

export function isAct(word: string): word is Act {
  return ACTS.some((act) => act === word);
}

/** News for the fallback channel: a target does not get its messages. */
export type Trouble = "undelivered";

/** A user sent feedback. It is in the inbox, and may be about an issue. */
export type FeedbackNews = "feedback";

/** News for a person about alert rules: some fire often. It is a message of its own. */
export type Report = "noise";

/** Whether the message is for one person only. It goes to nobody else, even if it cannot be delivered. */
export function isForOnePerson(word: string): word is Act | Report {
  return isAct(word) || word === "noise";
}

/** The people who are told about an act. */
export interface Told {
  userIds: readonly number[];
  /** The name of the person who did it. Null: a token of the organization. */
  by: string | null;
  /** For `assigned`: the line of the ownership rule that assigned the issue. Absent: a person did. */
  ownershipRule?: string;
  /** For `mentioned` and `commented`. */
  commentId?: number;
}

/** The addresses and channels of a project, which alert rules can tell. */
export interface NotificationSettings {
  /** Addresses of e-mail. Null: the owner's, whatever it is at the time. */
  emails: readonly string[] | null;
  /** Channels of the organization that serve the project, each once. */
  channelIds: readonly number[];
  /** Whether they hear of new feedback, too. Absent: no. */
  tellsFeedback?: true;
}

/** A project has none until somebody adds them. */
export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  emails: [],
  channelIds: [],
};

export const MAX_EMAILS = 50;

/** Issues that one message names; the others are counted. */
export const MAX_NAMED_ISSUES = 20;
/** A channel gets one message in this time. The next message has everything that happened meanwhile. */
export const MESSAGE_PAUSE_MS = 60_000;
/** Between two attempts to send a message. */
export const LONGEST_PAUSE_MS = 6 * HOUR_MS;

/**
 * Reads what somebody typed as an e-mail address. Null: it is not a valid address. Quoted parts, comments and IP addresses as hosts are
 * refused: people do not use them, and attacks do. At most 254 characters (RFC 5321, 4.5.3.1.3).
 */
export function parseEmail(text: string): string | null {
  const address = text.trim();
  return address.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(address)
    ? address
    : null;
}
