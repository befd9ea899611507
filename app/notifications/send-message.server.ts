import type { ChannelWithSecrets } from "../domain/channels/channel.ts";
import { API_HOSTS, type ApiHosts } from "./channels/channel-sender.ts";
import { SENDERS } from "./channels/senders.ts";
import type { Message } from "./message.ts";
import { renderMail } from "./render-mail.ts";
import { requestChannel } from "./request-channel.server.ts";
import { type MailConfig, sendMail } from "./send-mail.server.ts";
import type { SendResult } from "./send-result.ts";

/** An address of a project's settings, or a channel of the organization. */
export type Destination = { kind: "email"; address: string } | { kind: "channel"; to: ChannelWithSecrets };

/** Makes one attempt to tell somebody something. Never throws. */
export type SendMessage = (destination: Destination, message: Message) => Promise<SendResult>;

/** For one attempt, from the name server to the last answer. Below the pause before the second one. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** A shorter one may stand in an answer by chance. */
const SHORTEST_HIDDEN = 6;

export function createSendMessage({
  mail,
  allowsPrivate,
  now,
  hosts = API_HOSTS,
}: {
  /** Null: mail is not set up. */
  mail: MailConfig | null;
  /** Whether channels may reach addresses that are not of the public internet. */
  allowsPrivate: boolean;
  now: () => number;
  /** For tests, which have no services. */
  hosts?: ApiHosts;
}): SendMessage {
  return async (destination, message) => {
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    const { key } = message;
    const post = async (to: string, content: ReturnType<typeof renderMail>): Promise<SendResult> =>
      mail === null
        ? { ok: false, reason: "mail is not set up on this server", isPermanent: false, retryAfterMs: null }
        : await sendMail(mail, { to, mail: content, key, signal });
    if (destination.kind === "email") return await post(destination.address, renderMail(message));
    const { to } = destination;
    const isPublic = allowsPrivate ? { isPublic: () => true } : {};
    const at = now();
    const result = await SENDERS[to.kind](to, message, {
      now: at,
      hosts,
      request: (request) => requestChannel({ ...request, ...isPublic, now: at, signal }),
      mail: post,
    });
    return hideSecrets(result, Object.values(to.secrets));
  };
}

/** A receiver may repeat what it was told. */
function hideSecrets(result: SendResult, secrets: readonly string[]): SendResult {
  const hide = (text: string) =>
    secrets.reduce(
      (hidden, secret) => (secret.length < SHORTEST_HIDDEN ? hidden : hidden.replaceAll(secret, "…")),
      text,
    );
  return result.ok ? { ...result, answer: hide(result.answer) } : { ...result, reason: hide(result.reason) };
}
