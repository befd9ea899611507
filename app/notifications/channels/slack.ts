import type { IssueNews, Message } from "../message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";

/** Source: Slack's reference of text objects: 3,000 characters in one. Links that act take up to 1,000 of them. */
const MAX_TEXT = 500;
const MAX_NAME = 200;

/** Text and blocks, as incoming webhooks and `chat.postMessage` take them. */
export function toSlack(message: Message) {
  const more = sayMore(message);
  const foot = [more && slackLink(message.listUrl, more), message.listUrl === null && NO_LINKS].filter(Boolean);
  // Verbatim: Slack makes no links, channels and mentions of what only looks like them.
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });
  return {
    text: escapeSlack(sayHeadline(message)),
    unfurl_links: false,
    blocks: [
      ...message.issues.map((issue) => section(sayIssue(issue, message.project.name))),
      ...foot.map((text) => section(String(text))),
    ],
  };
}

function sayIssue(issue: IssueNews, projectName: string): string {
  return [
    `*${escapeSlack(sayWhat(issue), MAX_NAME)}* in ${escapeSlack(projectName, MAX_NAME)}`,
    slackLink(issue.url, issue.title),
    issue.culprit && escapeSlack(issue.culprit),
    escapeSlack(`${issue.shortId}: ${sayFacts(issue)}`),
    // No buttons: Slack warns of those of an app that hears no answers.
    (issue.acts ?? []).map(({ label, url }) => slackLink(url, label)).join("   "),
  ]
    .filter(Boolean)
    .join("\n");
}

function slackLink(url: string | null, text: string): string {
  // A bar would end the address, and what is left of a title would be what one reads.
  return url === null ? escapeSlack(text) : `<${url}|${escapeSlack(text.replaceAll("|", "¦"))}>`;
}

/**
 * Source: Slack's reference of formatting text: these three, and no others. Mentions need an unescaped `<`. What is longer than `max`
 * once it is escaped loses its end: Slack would refuse the whole message.
 */
function escapeSlack(text: string, max = MAX_TEXT): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.length > max ? `${escaped.slice(0, max - 1).replace(/&[a-z]{0,3}$/, "")}…` : escaped;
}
