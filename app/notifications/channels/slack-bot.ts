import { shorten } from "../request-channel.server.ts";
import type { SendResult } from "../send-result.ts";
import type { ChannelFollower } from "./channel-follower.ts";
import { type ChannelSender, type ChannelTools, readJson } from "./channel-sender.ts";
import { toSlack } from "./slack.ts";

/** Posts a message as a bot, which may change it later. Source: Slack's reference of chat.postMessage. */
export const sendSlackBot: ChannelSender = async ({ settings, secrets, place }, message, tools) => {
  const args = { channel: place || settings.channel, ...toSlack(message) };
  return await callSlack("chat.postMessage", secrets.token ?? "", args, tools);
};

/** Changes the message. Source: Slack's chat.update, and `thread_ts` of chat.postMessage. */
export const followSlackBot: ChannelFollower = async ({ settings, secrets }, { ref, whole, news }, tools) => {
  const [channel, ts] = ref.split(" ");
  const token = secrets.token ?? "";
  return settings.later === "thread"
    ? await callSlack("chat.postMessage", token, { channel, thread_ts: ts, ...toSlack(news) }, tools)
    : await callSlack("chat.update", token, { channel, ts, ...toSlack(whole) }, tools);
};

/** Calls Slack, which also answers 200 to what it refuses, and says so in the body. The `ref` is the channel's id and the message's `ts`. */
async function callSlack(method: string, token: string, args: object, tools: ChannelTools): Promise<SendResult> {
  const { result, body } = await tools.request({
    url: `${tools.hosts.slack}/api/${method}`,
    headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${token}` },
    body: JSON.stringify(args),
  });
  if (!result.ok) return result;
  const { ok, error, ts, channel } = readJson(body);
  if (ok !== true) {
    const reason = `Slack refused it: ${typeof error === "string" ? shorten(error) : "it did not say why"}`;
    return { ok: false, reason, isPermanent: false, retryAfterMs: null };
  }
  const isNamed = typeof ts === "string" && typeof channel === "string";
  return { ok: true, answer: "200 ok", ...(isNamed && { ref: `${channel} ${ts}` }) };
}
