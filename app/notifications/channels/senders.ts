import type { ChannelKind } from "../../domain/channels/channel.ts";
import { renderMail } from "../render-mail.ts";
import { type ChannelSender, postTo } from "./channel-sender.ts";
import { sendDiscord } from "./discord.ts";
import { toMattermost } from "./mattermost.ts";
import { sendNtfy } from "./ntfy.ts";
import { sendPagerduty } from "./pagerduty.ts";
import { toSlack } from "./slack.ts";
import { sendSlackBot } from "./slack-bot.ts";
import { toTeams } from "./teams.ts";
import { sendTelegram } from "./telegram.ts";
import { sendWebhook } from "./webhook.ts";

export const SENDERS: Readonly<Record<ChannelKind, ChannelSender>> = {
  email: ({ settings }, message, tools) => tools.mail(settings.address ?? "", renderMail(message)),
  webhook: sendWebhook,
  slack: postTo(toSlack),
  "slack-bot": sendSlackBot,
  discord: sendDiscord,
  teams: postTo(toTeams),
  mattermost: postTo((message, { place }) => ({ ...toMattermost(message), ...(place && { channel: place }) })),
  telegram: sendTelegram,
  ntfy: sendNtfy,
  pagerduty: sendPagerduty,
};
