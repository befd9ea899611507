import { escapeHtml, type Mail } from "./render-mail.ts";
import { type MailConfig, sendMail } from "./send-mail.server.ts";
import type { SendResult } from "./send-result.ts";

/** A mail to one person about their account: paragraphs, then one link. */
export interface Note {
  subject: string;
  paragraphs: readonly string[];
  link: { url: string; label: string } | null;
}

/** Makes one attempt; `key` is the same for all attempts of a message. Never throws. */
export type SendMail = (address: string, mail: Mail, key: string) => Promise<SendResult>;

/** Makes one attempt. Never throws. */
export type SendNote = (address: string, note: Note) => Promise<SendResult>;

/** Short, because a person waits for it on a page. */
const ATTEMPT_TIMEOUT_MS = 15_000;

export function createSendMail(mail: MailConfig | null): SendMail {
  return async (address, content, key) => {
    if (mail === null)
      return { ok: false, reason: "mail is not set up on this server", isPermanent: false, retryAfterMs: null };
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    return await sendMail(mail, { to: address, mail: content, key, signal });
  };
}

/**
 * Makes the function that sends notes. `onFailure` is called for each note that the mail server did not take. Nobody else learns of it,
 * because a stranger may have asked for the note. It is not sent again.
 */
export function createSendNote({
  mail,
  createKey,
  onFailure,
}: {
  mail: MailConfig | null;
  createKey: () => string;
  onFailure: (failure: { subject: string; reason: string }) => void;
}): SendNote {
  const send = createSendMail(mail);
  return async (address, note) => {
    const sent = await send(address, renderNote(note), createKey());
    if (!sent.ok) onFailure({ subject: note.subject, reason: sent.reason });
    return sent;
  };
}

function renderNote({ subject, paragraphs, link }: Note) {
  return {
    subject,
    text: `${[...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : [])].join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif;max-width:640px">
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n")}
${link ? renderLink(link) : ""}
</body></html>
`,
  };
}

function renderLink({ url, label }: { url: string; label: string }): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>
<p style="font-size:12px;overflow-wrap:anywhere">${escapeHtml(url)}</p>`;
}
