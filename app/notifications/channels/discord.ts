import type { IssueNews, Message } from "../message.ts";
import { colourOf, NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";
import type { ChannelFollower } from "./channel-follower.ts";
import { type ChannelSender, readJson } from "./channel-sender.ts";

/**
 * Discord's limits for these three: ten embeds, titles of 256 characters, 6,000 characters in all embeds together. Source: its reference of
 * embeds, checked 2026-11.
 */
const MAX_EMBEDS = 10;
/** Characters. The text gets twice as long if every character is escaped. */
const MAX_TEXT = 110;
const MAX_FOOTER = 150;
/** The most issues with links that act, which take some 1,000 characters each. */
const MAX_ACTED = 3;

/** With `wait`, Discord answers when the message exists, and tells its id. Source: its reference of Execute Webhook. */
export const sendDiscord: ChannelSender = async ({ secrets, place }, message, tools) => {
  const url = withQuery(toThread(secrets.url ?? "", place), "wait", "true");
  const { result, body } = await tools.request({ url, body: JSON.stringify(toDiscord(message)) });
  const { id } = readJson(body);
  return result.ok
    ? { ...result, answer: "200: the message is there", ...(typeof id === "string" && { ref: id }) }
    : result;
};

/** Changes the message. Source: Discord's reference of Edit Webhook Message. */
export const followDiscord: ChannelFollower = async ({ secrets, place }, { ref, whole }, tools) => {
  const url = URL.parse(toThread(secrets.url ?? "", place));
  if (url !== null) url.pathname = `${url.pathname.replace(/\/$/, "")}/messages/${ref}`;
  const body = JSON.stringify(toDiscord(whole));
  const { result } = await tools.request({ url: url?.href ?? "", method: "PATCH", body });
  return result.ok ? { ok: true, answer: "200: the message is changed" } : result;
};

/** Adds the thread to the address. A message of a thread can only be changed through the thread. */
function toThread(url: string, place = ""): string {
  return place === "" ? url : withQuery(url, "thread_id", place);
}

function withQuery(text: string, name: string, value: string): string {
  const url = URL.parse(text);
  url?.searchParams.set(name, value);
  return url?.href ?? text;
}

export function toDiscord(message: Message) {
  const named = message.issues.slice(0, MAX_EMBEDS);
  const more = { ...message.more };
  for (const { transition } of message.issues.slice(MAX_EMBEDS)) more[transition] = (more[transition] ?? 0) + 1;
  const rest = sayMore({ more });
  const foot = [rest && `${escapeDiscord(rest)} ${message.listUrl ?? ""}`.trim(), message.listUrl === null && NO_LINKS];
  return {
    content: [`**${escapeDiscord(sayHeadline(message))}**`, ...foot.filter(Boolean)].join("\n"),
    // Nobody is mentioned, whatever a title says.
    allowed_mentions: { parse: [] },
    embeds: named.map((issue) =>
      toEmbed(named.length > MAX_ACTED ? { ...issue, acts: [] } : issue, message.project.name),
    ),
  };
}

function toEmbed(issue: IssueNews, projectName: string) {
  return {
    title: escapeDiscord(cut(issue.title, MAX_TEXT)),
    ...(issue.url === null ? {} : { url: issue.url }),
    description: [
      escapeDiscord(cut(issue.culprit, MAX_TEXT)),
      (issue.acts ?? []).map(({ label, url }) => `[${label}](${url})`).join(" · "),
    ]
      .filter(Boolean)
      .join("\n\n"),
    color: Number.parseInt(colourOf(issue).slice(1), 16),
    footer: {
      text: cut(`${sayWhat(issue)} in ${projectName} · ${issue.shortId}: ${sayFacts(issue)}`, MAX_FOOTER),
    },
  };
}

function escapeDiscord(text: string): string {
  return text.replace(/[\\`*_~|>#[\]()<@:-]/g, "\\$&");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
