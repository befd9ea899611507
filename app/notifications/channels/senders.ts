import type { ChannelKind } from "../../domain/channels/channel.ts";
import { renderMail } from "../render-mail.ts";
import { type ChannelSender, postTo } from "./channel-sender.ts";
import { toDiscord } from "./discord.ts";
import { toMattermost } from "./mattermost.ts";
import { toSlack } from "./slack.ts";
import { sendWebhook } from "./webhook.ts";

/** How each kind is sent. */
export const SENDERS: Readonly<Record<ChannelKind, ChannelSender>> = {
  email: ({ settings }, message, tools) => tools.mail(settings.address ?? "", renderMail(message)),
  webhook: sendWebhook,
  slack: postTo(toSlack),
  discord: postTo(toDiscord),
  mattermost: postTo(toMattermost),
};
