import type { IssueNews, Message, MessageAct } from "./message.ts";
import { colourOf, NO_LINKS, sayFacts, sayHeadline, sayMore, sayWhat } from "./message-words.ts";
import { sayInstant } from "./reader-zone.ts";

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

const TEST = "This is a test. The issue below does not exist.";

/** The zone for mails to addresses: it is unknown who reads them, and where. */
const ZONE = "UTC";

/** Renders a message as plain text and as HTML. The HTML loads nothing from the network. */
export function renderMail(message: Message): Mail {
  return { subject: sayHeadline(message), text: toText(message), html: toHtml(message) };
}

function toText(message: Message): string {
  const { issues, project, listUrl, settingsUrl, isTest } = message;
  const more = sayMore(message);
  const parts = [
    isTest && TEST,
    ...issues.map((issue) =>
      [
        `${sayWhat(issue)} in ${project.name}: ${issue.title}`,
        issue.culprit,
        `${issue.shortId}: ${sayFacts(issue)}`,
        sayInstant(issue.at, ZONE, "short"),
        issue.url,
        ...(issue.acts ?? []).map(({ label, url }) => `${label}: ${url}`),
      ]
        .filter(Boolean)
        .join("\n"),
    ),
    more && `${more}${listUrl ? `: ${listUrl}` : ""}`,
    listUrl === null && NO_LINKS,
    settingsUrl && `-- \nWho gets these messages: ${settingsUrl}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** The HTML. Mail programs understand tables and inline styles, and little else. */
function toHtml(message: Message): string {
  const { issues, listUrl, settingsUrl, isTest } = message;
  const more = sayMore(message);
  const rows = [
    isTest && paragraph(TEST),
    ...issues.map((issue) => issueRow(issue, message.project.name)),
    more && paragraph(link(listUrl, more)),
    listUrl === null && paragraph(escapeHtml(NO_LINKS)),
    settingsUrl && `<tr><td style="${FOOT}">${link(settingsUrl, "Who gets these messages")}</td></tr>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(sayHeadline(message))}</title></head>
<body style="margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif">
<table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;max-width:640px">
${rows.filter(Boolean).join("\n")}
</table></body></html>
`;
}

const FOOT = "padding:16px 0;border-top:1px solid #8886;font-size:12px";

function issueRow(issue: IssueNews, projectName: string): string {
  return `<tr><td style="padding:0 0 20px 12px;border-left:3px solid ${colourOf(issue)}">
<div style="font-size:12px">${sayWhat(issue)} in ${escapeHtml(projectName)}</div>
<div style="font-size:16px;font-weight:600;overflow-wrap:anywhere">${link(issue.url, issue.title)}</div>
<div style="font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere">${escapeHtml(issue.culprit)}</div>
<div style="font-size:12px;overflow-wrap:anywhere">${escapeHtml(`${issue.shortId}: ${sayFacts(issue)}`)}</div>
<div style="font-size:12px">${escapeHtml(sayInstant(issue.at, ZONE, "short"))}</div>${renderActs(issue.acts ?? [])}
</td></tr>`;
}

/** Links that look like buttons. Empty: there are none. */
export function renderActs(acts: readonly MessageAct[]): string {
  if (acts.length === 0) return "";
  const links = acts.map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" style="display:inline-block;margin:6px 8px 0 0;padding:5px 10px;border:1px solid #8888;border-radius:6px;text-decoration:none">${escapeHtml(label)}</a>`,
  );
  return `\n<div style="font-size:13px">${links.join("")}</div>`;
}

function paragraph(html: string): string {
  return `<tr><td style="padding:0 0 16px">${html}</td></tr>`;
}

function link(url: string | null, text: string): string {
  return url === null ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
