import type { IssueNews, Message } from "../message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";

/** Workflows take 28 KB; an issue is at most some 2.2 KB, with links that act. */
const MAX_ISSUES = 12;

/**
 * An Adaptive Card in the envelope that Workflows take. Texts are text runs, which are shown as they are: a text block would read
 * Markdown in them.
 */
export function toTeams(message: Message) {
  const named = message.issues.slice(0, MAX_ISSUES);
  const more = { ...message.more };
  for (const { transition } of message.issues.slice(MAX_ISSUES)) more[transition] = (more[transition] ?? 0) + 1;
  const rest = more.new + more.regressed > 0 ? sayMore({ ...message, more }) : null;
  const foot = [rest, message.listUrl === null && NO_LINKS].filter(Boolean).map((text) => line([run(String(text))]));
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [
            line([run(sayHeadline(message), { weight: "Bolder", size: "Medium" })]),
            ...named.flatMap((issue) => toBlocks(issue, message.project.name)),
            ...foot,
          ],
          ...(message.listUrl === null
            ? {}
            : { actions: [{ type: "Action.OpenUrl", title: "Issues of the project", url: message.listUrl }] }),
        },
      },
    ],
  };
}

function toBlocks(issue: IssueNews, projectName: string) {
  const link = issue.url === null ? {} : { selectAction: { type: "Action.OpenUrl", url: issue.url } };
  return [
    {
      ...line([
        run(`${sayWhat(issue)} in ${projectName}: `, { isSubtle: true }),
        run(issue.title, { weight: "Bolder", ...link }),
      ]),
      separator: true,
    },
    ...(issue.culprit === "" ? [] : [line([run(issue.culprit, { fontType: "Monospace" })])]),
    line([run(`${issue.shortId}: ${sayFacts(issue)}`, { isSubtle: true, size: "Small" })]),
    ...(issue.acts?.length
      ? [
          {
            type: "ActionSet",
            actions: issue.acts.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
          },
        ]
      : []),
  ];
}

function line(inlines: object[]) {
  return { type: "RichTextBlock", inlines };
}

function run(text: string, look: object = {}) {
  return { type: "TextRun", text, ...look };
}
