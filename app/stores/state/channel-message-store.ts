import type { IssueChange } from "../../domain/channels/issue-change.ts";
import type { NewsCounts, NewsItem } from "./delivery-store.ts";

/** A message that was sent to a channel. */
export interface ChannelMessage {
  id: number;
  channelId: number;
  /** Another channel or thread of the chat; empty: the channel's own. */
  place: string;
  projectId: number;
  /** The name that the receiving service gives the message. Empty: it gives none. */
  ref: string;
  /** Key of the delivery that sent it. */
  key: string;
  items: NewsItem[];
  more: NewsCounts;
  sentAt: number;
}

/** A message whose issues have changed since it was sent. */
export interface DueFollowUp {
  message: ChannelMessage;
  /** All changes since it was sent, oldest first. */
  changes: IssueChange[];
  /** The changes that were not told yet. */
  untold: IssueChange[];
  /** This attempt included. */
  attempts: number;
  /** For `finish`: the last activity of `changes`, and the time for which the attempt was claimed. */
  upTo: { activity: number; retryAt: number };
}

/** Changes that are told in this time after a message. */
export const FOLLOWED_DAYS = 30;
/** Messages that are kept per channel. Older ones are forgotten. */
export const MAX_CHANNEL_MESSAGES = 1_000;

/** Messages that channels have, and what became of their issues since. A change of an issue makes its messages due, in the transaction of the change. */
export interface ChannelMessageStore {
  /** Remembers a message. Each delivery (`key`) is remembered once. */
  remember(message: Omit<ChannelMessage, "id">): Promise<void>;
  /** Whether the channel has the message of this delivery. */
  isRemembered(channelId: number, key: string): Promise<boolean>;
  /** Takes the message whose change waits for longest, and counts the attempt. Null: none is due. `butNotOf`: ids of channels. */
  claimFollowUp(request: {
    now: number;
    retryAt: (attempts: number) => number;
    butNotOf?: readonly number[];
  }): Promise<DueFollowUp | null>;
  /** Marks the changes as told, or as unwanted. Later changes stay due. */
  finish(followUp: DueFollowUp): Promise<void>;
  /** `retryAt` null: it is given up; the next change is told again. */
  fail(followUp: DueFollowUp, result: { retryAt: number | null }): Promise<void>;
}
