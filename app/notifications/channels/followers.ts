import type { ChannelKind, ChannelWithSecrets } from "../../domain/channels/channel.ts";
import type { Message } from "../message.ts";
import type { SendResult } from "../send-result.ts";
import type { ChannelTools } from "./channel-sender.ts";
import { followDiscord } from "./discord.ts";
import { followPagerduty } from "./pagerduty.ts";
import { SENDERS } from "./senders.ts";
import { followSlackBot } from "./slack-bot.ts";
import { followTelegram } from "./telegram.ts";

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

const FOLLOWERS: Partial<Record<ChannelKind, ChannelFollower>> = {
  "slack-bot": followSlackBot,
  discord: followDiscord,
  telegram: followTelegram,
  pagerduty: followPagerduty,
};

/** Changes the message where the kind can, and sends a new one elsewhere. */
export const follow: ChannelFollower = async (channel, followUp, tools) => {
  const follower = followUp.ref === "" ? undefined : FOLLOWERS[channel.kind];
  return await (follower?.(channel, followUp, tools) ?? SENDERS[channel.kind](channel, followUp.news, tools));
};
