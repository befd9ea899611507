import type { Webhook } from "../domain/notification.ts";
import type { Message } from "./message.ts";
import { renderMail } from "./render-mail.ts";
import { renderWebhook } from "./render-webhook.ts";
import { type MailConfig, sendMail } from "./send-mail.server.ts";
import type { SendResult } from "./send-result.ts";
import { sendWebhook } from "./send-webhook.server.ts";

export type Destination = { channel: "email"; address: string } | { channel: "webhook"; webhook: Webhook };

/** Makes one attempt to tell somebody something. Never throws. */
export type SendMessage = (destination: Destination, message: Message) => Promise<SendResult>;

/** For one attempt, from the name server to the last answer. Below the pause before the second one. */
const ATTEMPT_TIMEOUT_MS = 15_000;

export function createSendMessage({
  mail,
  allowsPrivate,
  now,
}: {
  /** Null: mail is not set up. */
  mail: MailConfig | null;
  /** Whether webhooks may reach addresses that are not of the public internet. */
  allowsPrivate: boolean;
  now: () => number;
}): SendMessage {
  return async (destination, message) => {
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    const { key } = message;
    if (destination.channel === "webhook") {
      const { webhook } = destination;
      const isPublic = allowsPrivate ? { isPublic: () => true } : {};
      return await sendWebhook(webhook, renderWebhook(message, webhook.form), { ...isPublic, key, now: now(), signal });
    }
    if (mail === null)
      return { ok: false, reason: "mail is not set up on this server", isPermanent: false, retryAfterMs: null };
    return await sendMail(mail, { to: destination.address, mail: renderMail(message), key, signal });
  };
}
