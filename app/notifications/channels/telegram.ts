import { isRecord } from "../../domain/is-record.ts";
import type { Message } from "../message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";
import { escapeHtml } from "../render-mail.ts";
import { shorten } from "../request-channel.server.ts";
import type { SendResult } from "../send-result.ts";
import type { ChannelFollower } from "./channel-follower.ts";
import { type ChannelSender, type ChannelTools, readJson } from "./channel-sender.ts";

/** Source: the reference of the Bot API: 4,096 characters after the entities are read. An issue has at most some 700. */
const MAX_ISSUES = 5;

export const sendTelegram: ChannelSender = async ({ settings, secrets, place }, message, tools) => {
  const args = { chat_id: settings.chat, ...toTopic(place), ...toTelegram(message) };
  return await callTelegram("sendMessage", secrets.token ?? "", args, tools);
};

function toTopic(place = ""): { message_thread_id?: number } {
  return place === "" ? {} : { message_thread_id: Number(place) };
}

/** Source: editMessageText, and `reply_parameters` of sendMessage. */
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
  // It says so of an attempt that is made again.
  const isDone = !result.ok && result.reason.includes("message is not modified");
  return isDone ? { ok: true, answer: "200 ok" } : result;
};

/** Text in the HTML that Telegram reads: four characters need an escape, and nothing else has a meaning. */
export function toTelegram(message: Message) {
  const named = message.issues.slice(0, MAX_ISSUES);
  const more = { ...message.more };
  for (const { transition } of message.issues.slice(MAX_ISSUES)) more[transition] = (more[transition] ?? 0) + 1;
  const rest = more.new + more.regressed > 0 ? sayMore({ ...message, more }) : null;
  const parts = [
    `<b>${escapeHtml(sayHeadline(message))}</b>`,
    ...named.map(({ url, title, culprit, transition, ...issue }) =>
      [
        `${sayWhat({ transition, change: issue.change })}: ${link(url, title)}`,
        culprit && `<code>${escapeHtml(culprit)}</code>`,
        escapeHtml(`${issue.shortId}: ${sayFacts({ ...issue, url, title, culprit, transition })}`),
        (issue.acts ?? []).map((act) => link(act.url, act.label)).join(" · "),
      ]
        .filter(Boolean)
        .join("\n"),
    ),
    rest && link(message.listUrl, rest),
    message.listUrl === null && escapeHtml(NO_LINKS),
  ];
  return {
    text: parts.filter(Boolean).join("\n\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  };
}

function link(url: string | null, text: string): string {
  return url === null ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** The `ref` is the chat's and the message's id. A refusal says in the body how long to wait. */
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
