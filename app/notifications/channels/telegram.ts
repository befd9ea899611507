import { isRecord } from "../../domain/is-record.ts";
import type { IssueNews, Message } from "../message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";
import { escapeHtml } from "../render-mail.ts";
import { shorten } from "../request-channel.server.ts";
import type { SendResult } from "../send-result.ts";
import type { ChannelFollower } from "./channel-follower.ts";
import { type ChannelSender, type ChannelTools, readJson } from "./channel-sender.ts";
import { fitIssues } from "./fit-issues.ts";

/** The most characters of a message, after its entities are read. Source: the reference of the Bot API. */
const MAX_MESSAGE = 4_096;
/** Characters for the text below the issues. */
const MAX_FOOT = 300;

export const sendTelegram: ChannelSender = async ({ settings, secrets, place }, message, tools) => {
  const args = { chat_id: settings.chat, ...toTopic(place), ...toTelegram(message) };
  return await callTelegram("sendMessage", secrets.token ?? "", args, tools);
};

function toTopic(place = ""): { message_thread_id?: number } {
  return place === "" ? {} : { message_thread_id: Number(place) };
}

/** Changes the message. Source: editMessageText, and `reply_parameters` of sendMessage. */
export const followTelegram: ChannelFollower = async ({ settings, secrets, place }, { ref, whole, news }, tools) => {
  const [chat, id] = ref.split(" ");
  const token = secrets.token ?? "";
  if (settings.later === "thread") {
    const reply = { reply_parameters: { message_id: Number(id), allow_sending_without_reply: true } };
    return await callTelegram(
      "sendMessage",
      token,
      { chat_id: chat, ...toTopic(place), ...reply, ...toTelegram(news) },
      tools,
    );
  }
  const edit = { chat_id: chat, message_id: Number(id), ...toTelegram(whole) };
  const result = await callTelegram("editMessageText", token, edit, tools);
  // Telegram answers so to a repeated attempt that changes nothing.
  const isDone = !result.ok && result.reason.includes("message is not modified");
  return isDone ? { ok: true, answer: "200 ok" } : result;
};

/** The message in Telegram's HTML. Four characters need an escape, and no other character has a meaning. */
export function toTelegram(message: Message) {
  const headline = `<b>${escapeText(sayHeadline(message))}</b>`;
  const { parts, more } = fitIssues(message, {
    render: toBlock,
    measure: (block) => countShown(`${block}\n\n`),
    max: MAX_MESSAGE - MAX_FOOT - countShown(headline),
  });
  const rest = sayMore({ more });
  const foot = [rest && link(message.listUrl, rest), message.listUrl === null && escapeText(NO_LINKS)];
  return {
    text: [headline, ...parts, ...foot.filter(Boolean)].join("\n\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  };
}

function toBlock(issue: IssueNews): string {
  return [
    `${escapeText(sayWhat(issue))}: ${link(issue.url, issue.title)}`,
    issue.culprit && `<code>${escapeHtml(issue.culprit)}</code>`,
    escapeText(`${issue.shortId}: ${sayFacts(issue)}`),
    (issue.acts ?? []).map(({ url, label }) => link(url, label)).join(" · "),
  ]
    .filter(Boolean)
    .join("\n");
}

function countShown(html: string): number {
  return html.replace(/<[^>]*>/g, "").replace(/&#?\w+;/g, "&").length;
}

/**
 * Escapes text. Outside of links and code, Telegram makes mentions, links, tags and commands of what looks like them. A space of no width
 * prevents it.
 */
function escapeText(text: string): string {
  return escapeHtml(text.replace(/[@#$/.](?=[\p{L}_])|:(?=\/)/gu, "$&\u200b"));
}

function link(url: string | null, text: string): string {
  return url === null ? escapeText(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** Calls Telegram. The `ref` is the id of the chat and the id of the message. The body of a refusal says how long to wait. */
async function callTelegram(method: string, token: string, args: object, tools: ChannelTools): Promise<SendResult> {
  const url = `${tools.hosts.telegram}/bot${token}/${method}`;
  const { result, body, status } = await tools.request({ url, body: JSON.stringify(args) });
  const { ok, result: made, description, parameters } = readJson(body);
  if (result.ok && ok === true) {
    const { message_id: id, chat } = isRecord(made) ? made : {};
    const chatId = isRecord(chat) ? chat.id : undefined;
    return { ok: true, answer: "200 ok", ...(id !== undefined && chatId !== undefined && { ref: `${chatId} ${id}` }) };
  }
  if (status === 0) return result;
  const wait = isRecord(parameters) ? Number(parameters.retry_after) : Number.NaN;
  const why = typeof description === "string" ? shorten(description) : "it did not say why";
  const retryAfterMs = wait > 0 ? wait * 1000 : result.ok ? null : result.retryAfterMs;
  return { ok: false, reason: `${status} ${why}`, isPermanent: false, retryAfterMs };
}
