import type { IssueNews, Message } from "../message.ts";
import { colourOf, NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";

/** Markdown and message attachments. Rocket.Chat takes the same. */
export function toMattermost(message: Message) {
  const more = sayMore(message);
  const foot = [
    more && (message.listUrl === null ? escapeMarkdown(more) : `[${escapeMarkdown(more)}](${message.listUrl})`),
    message.listUrl === null && NO_LINKS,
  ];
  return {
    text: [`**${escapeMarkdown(sayHeadline(message))}**`, ...foot.filter(Boolean)].join("\n"),
    attachments: message.issues.map((issue) => toAttachment(issue, message.project.name)),
  };
}

function toAttachment(issue: IssueNews, projectName: string) {
  return {
    fallback: escapeMarkdown(`${sayWhat(issue)}: ${issue.title}`),
    color: colourOf(issue),
    title: escapeMarkdown(issue.title),
    ...(issue.url === null ? {} : { title_link: issue.url }),
    text: [escapeMarkdown(issue.culprit), (issue.acts ?? []).map(({ label, url }) => `[${label}](${url})`).join(" · ")]
      .filter(Boolean)
      .join("\n\n"),
    footer: `${sayWhat(issue)} in ${projectName} · ${issue.shortId}: ${sayFacts(issue)}`,
  };
}

/**
 * Escapes Markdown. Mattermost has no escape for mentions, so `@` gets a space of no width after it. It also makes links of words that
 * begin with `www.`, which is prevented, too.
 */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~|>#[\]()<!:&-]|(?<=www)\./gi, "\\$&").replaceAll("@", "@\u200b");
}
