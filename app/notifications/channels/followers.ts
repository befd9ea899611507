import type { ChannelKind } from "../../domain/channels/channel.ts";
import type { ChannelFollower } from "./channel-follower.ts";
import { followDiscord } from "./discord.ts";
import { followPagerduty } from "./pagerduty.ts";
import { SENDERS } from "./senders.ts";
import { followSlackBot } from "./slack-bot.ts";
import { followTelegram } from "./telegram.ts";

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
