import { TRANSITIONS, type WebhookForm } from "../domain/notification.ts";
import type { IssueNews, Message } from "./message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, TRANSITION_WORDS } from "./message-words.ts";

/** Source, for these three: Discord's reference of embeds, checked 2026-11: ten, titles of 256, 6,000 characters for all of them. */
const MAX_DISCORD_EMBEDS = 10;
/** Twice as many where every character is escaped. */
const MAX_DISCORD_TEXT = 110;
const MAX_DISCORD_FOOTER = 150;
const DISCORD_COLOURS = { new: 0xb3261e, regressed: 0xd9a514 } as const;

/** The body to post. */
export function renderWebhook(message: Message, form: WebhookForm): string {
  return JSON.stringify({ json: toJson, slack: toSlack, discord: toDiscord }[form](message));
}

/** Culprit's own: documented in docs/notifications.md, so that nothing here changes its meaning. */
function toJson({ at, isTest, project, issues, more, listUrl }: Message) {
  return {
    type: isTest ? "test" : "issues",
    timestamp: new Date(at).toISOString(),
    data: {
      project,
      issues: issues.map((issue) => ({ ...issue, at: new Date(issue.at).toISOString() })),
      more,
      url: listUrl,
    },
  };
}

/** For incoming webhooks of Slack, and of what takes the same (Mattermost, Rocket.Chat). */
function toSlack(message: Message) {
  const more = sayMore(message);
  const foot = [more && slackLink(message.listUrl, more), message.listUrl === null && NO_LINKS].filter(Boolean);
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
  return {
    text: escapeSlack(sayHeadline(message)),
    unfurl_links: false,
    blocks: [
      ...message.issues.map((issue) =>
        section(
          [
            `*${TRANSITION_WORDS[issue.transition]}* in ${escapeSlack(message.project.name)}`,
            slackLink(issue.url, issue.title),
            issue.culprit && escapeSlack(issue.culprit),
            escapeSlack(`${issue.shortId}: ${sayFacts(issue)}`),
          ]
            .filter(Boolean)
            .join("\n"),
        ),
      ),
      ...foot.map((text) => section(String(text))),
    ],
  };
}

function slackLink(url: string | null, text: string): string {
  // A bar would end the address, and what is left of a title would be what one reads.
  return url === null ? escapeSlack(text) : `<${url}|${escapeSlack(text.replaceAll("|", "¦"))}>`;
}

/** Source: Slack's reference of formatting text: these three, and no others. Mentions need an unescaped `<`. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function toDiscord(message: Message) {
  const named = message.issues.slice(0, MAX_DISCORD_EMBEDS);
  const more = { ...message.more };
  for (const { transition } of message.issues.slice(MAX_DISCORD_EMBEDS)) more[transition] += 1;
  const rest = TRANSITIONS.some((transition) => more[transition] > 0) ? sayMore({ ...message, more }) : null;
  const foot = [rest && `${escapeDiscord(rest)} ${message.listUrl ?? ""}`.trim(), message.listUrl === null && NO_LINKS];
  return {
    content: [`**${escapeDiscord(sayHeadline(message))}**`, ...foot.filter(Boolean)].join("\n"),
    // Nobody is mentioned, whatever a title says.
    allowed_mentions: { parse: [] },
    embeds: named.map((issue) => toDiscordEmbed(issue, message.project.name)),
  };
}

function toDiscordEmbed(issue: IssueNews, projectName: string) {
  return {
    title: escapeDiscord(cut(issue.title, MAX_DISCORD_TEXT)),
    ...(issue.url === null ? {} : { url: issue.url }),
    description: escapeDiscord(cut(issue.culprit, MAX_DISCORD_TEXT)),
    color: DISCORD_COLOURS[issue.transition],
    footer: {
      text: cut(
        `${TRANSITION_WORDS[issue.transition]} in ${projectName} · ${issue.shortId}: ${sayFacts(issue)}`,
        MAX_DISCORD_FOOTER,
      ),
    },
  };
}

function escapeDiscord(text: string): string {
  return text.replace(/[\\`*_~|>#[\]()<@:-]/g, "\\$&");
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
