import type { Mail } from "./render-mail.ts";
import type { SendResult } from "./send-result.ts";

/** How mail is sent: from `SMTP_URL` and `MAIL_FROM`. */
export interface MailConfig {
  /** An address with `smtp://` or `smtps://`, including the password. */
  url: string;
  from: string;
}

/** An error of nodemailer. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  /** The reply of the server, including its code. */
  response?: string;
}

/** The time for one answer of the server. The caller's signal bounds the whole attempt. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_REASON_LENGTH = 300;

/**
 * Sends one message to one address. A failure is permanent only if the server refuses this recipient or this message for good (5xx to `RCPT
 * TO` or `DATA`). Other faults, like a wrong password, can be corrected. Never throws.
 */
export async function sendMail(
  config: MailConfig,
  { to, mail, key, signal }: { to: string; mail: Mail; key: string; signal: AbortSignal },
): Promise<SendResult> {
  // Loaded late: it has 80 modules, and most servers start without mail to send.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(toSmtpOptions(config.url));
  try {
    const { response } = await transport.sendMail({
      ...mail,
      to: { name: "", address: to },
      from: config.from,
      // The same for all attempts: programs that know it show the message once.
      messageId: `<${key}@${domainOf(config.from)}>`,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
    return { ok: true, answer: toReason(response, config) };
  } catch (error) {
    const { code = "", responseCode = 0, response, message } = error as SmtpError;
    const isPermanent = responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
    const reason = signal.aborted ? "it took too long" : toReason(response ?? message, config);
    return { ok: false, reason, isPermanent, retryAfterMs: null };
  } finally {
    transport.close();
  }
}

/** The options for nodemailer. A password is sent without TLS only to this machine itself. */
export function toSmtpOptions(text: string) {
  const url = new URL(text);
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const user = decodeURIComponent(url.username);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  return {
    host,
    port: Number(url.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    requireTLS: !isSecure && user !== "" && !isLocal,
    ...(user !== "" && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: ANSWER_TIMEOUT_MS,
    greetingTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    dnsTimeout: ANSWER_TIMEOUT_MS,
  };
}

/** The domain of `Culprit <errors@example.com>` or of a bare address. */
function domainOf(from: string): string {
  return /@([^\s@>]+)>?$/.exec(from.trim())?.[1] ?? "localhost";
}

/** The reason without the password, which a server may repeat. */
function toReason(text: string, { url }: MailConfig): string {
  const password = decodeURIComponent(new URL(url).password);
  const safe =
    password === "" ? text : text.replaceAll(password, "…").replaceAll(Buffer.from(password).toString("base64"), "…");
  return safe
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_REASON_LENGTH);
}
