import type { IssueNews, Message } from "../message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";

/** Text and blocks, as incoming webhooks and `chat.postMessage` take them. */
export function toSlack(message: Message) {
  const more = sayMore(message);
  const foot = [more && slackLink(message.listUrl, more), message.listUrl === null && NO_LINKS].filter(Boolean);
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
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
    `*${sayWhat(issue)}* in ${escapeSlack(projectName)}`,
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

/** Source: Slack's reference of formatting text: these three, and no others. Mentions need an unescaped `<`. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
