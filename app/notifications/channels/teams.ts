import type { IssueNews, Message } from "../message.ts";
import { NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";
import { fitIssues } from "./fit-issues.ts";

/** A message has at most 28 KB, and everything that is not about issues takes less than 4 KB. Source: Microsoft's limits of webhooks. */
const MAX_ISSUE_BYTES = 24 * 1024;

/**
 * An Adaptive Card in the envelope that Workflows take. Texts are text runs, which are shown as they are. A text block would be read as
 * Markdown.
 */
export function toTeams(message: Message) {
  const { parts: named, more } = fitIssues(message, {
    render: (issue) => toBlocks(issue, message.project.name),
    measure: (blocks) => Buffer.byteLength(JSON.stringify(blocks)),
    max: MAX_ISSUE_BYTES,
  });
  const foot = [sayMore({ more }), message.listUrl === null && NO_LINKS]
    .filter(Boolean)
    .map((text) => line([run(String(text))]));
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
          body: [line([run(sayHeadline(message), { weight: "Bolder", size: "Medium" })]), ...named.flat(), ...foot],
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
