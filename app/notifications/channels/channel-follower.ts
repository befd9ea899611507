import type { ChannelWithSecrets } from "../../domain/channels/channel.ts";
import type { Message } from "../message.ts";
import type { SendResult } from "../send-result.ts";
import type { ChannelTools } from "./channel-sender.ts";

/** What became of the issues of a message that a channel has. */
export interface FollowUp {
  /** As the channel names its message; empty: it gave no name. */
  ref: string;
  /** The message as it would be now: every issue with what happened to it last. */
  whole: Message;
  /** The issues that have changed since the channel was told, and how. */
  news: Message;
}

/** Makes one attempt to tell a channel of changes. Never throws. */
export type ChannelFollower = (
  channel: ChannelWithSecrets,
  followUp: FollowUp,
  tools: ChannelTools,
) => Promise<SendResult>;
