import type { ChannelWithSecrets } from "../../domain/channels/channel.ts";
import type { Message } from "../message.ts";
import type { SendResult } from "../send-result.ts";
import type { ChannelTools } from "./channel-sender.ts";

/** What happened to the issues of a message that a channel has. */
export interface FollowUp {
  /** The name that the channel gave to its message. Empty: it gave none. */
  ref: string;
  /** The message as it would be now: each issue with the latest thing that happened to it. */
  whole: Message;
  /** The issues that have changed since the channel was told last, and how. */
  news: Message;
}

/** Makes one attempt to tell a channel of changes. Never throws. */
export type ChannelFollower = (
  channel: ChannelWithSecrets,
  followUp: FollowUp,
  tools: ChannelTools,
) => Promise<SendResult>;
