import type { ChannelWithSecrets } from "../domain/channels/channel.ts";
import type { FollowUp } from "./channels/channel-follower.ts";
import { API_HOSTS, type ApiHosts, type ChannelTools } from "./channels/channel-sender.ts";
import { follow } from "./channels/followers.ts";
import { SENDERS } from "./channels/senders.ts";
import type { Message } from "./message.ts";
import { renderMail } from "./render-mail.ts";
import { requestChannel } from "./request-channel.server.ts";
import { type MailConfig, sendMail } from "./send-mail.server.ts";
import type { SendResult } from "./send-result.ts";

/** The receiver: an address from a project's settings, or a channel of the organization. */
export type Destination = { kind: "email"; address: string } | { kind: "channel"; to: ChannelWithSecrets };

/** Makes one attempt to send a message. Never throws. */
export type SendMessage = (destination: Destination, message: Message) => Promise<SendResult>;

/** The time for one attempt, from the name lookup to the last answer. Shorter than the pause before the second attempt. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Secrets shorter than this are not hidden in answers, because they may stand there by chance. Characters. */
const SHORTEST_HIDDEN = 6;

/** Makes one attempt to tell a channel what happened to the issues of a message that it has. Never throws. */
export type FollowMessage = (to: ChannelWithSecrets, followUp: FollowUp) => Promise<SendResult>;

export function createSendMessage({
  mail,
  allowsPrivate,
  now,
  hosts = API_HOSTS,
}: {
  /** Null: mail is not set up. */
  mail: MailConfig | null;
  /** Whether channels may be at addresses outside of the public internet. */
  allowsPrivate: boolean;
  now: () => number;
  /** Other hosts, for tests, which do not have the services. */
  hosts?: ApiHosts;
}): SendMessage & { follow: FollowMessage } {
  function open(key: string): ChannelTools {
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    const isPublic = allowsPrivate ? { isPublic: () => true } : {};
    const at = now();
    return {
      now: at,
      hosts,
      request: (request) => requestChannel({ ...request, ...isPublic, now: at, signal }),
      mail: async (to, content) =>
        mail === null
          ? { ok: false, reason: "mail is not set up on this server", isPermanent: false, retryAfterMs: null }
          : await sendMail(mail, { to, mail: content, key, signal }),
    };
  }
  const send: SendMessage = async (destination, message) => {
    const tools = open(message.key);
    if (destination.kind === "email") return await tools.mail(destination.address, renderMail(message));
    const { to } = destination;
    return hideSecrets(await SENDERS[to.kind](to, message, tools), Object.values(to.secrets));
  };
  const followMessage: FollowMessage = async (to, followUp) =>
    hideSecrets(await follow(to, followUp, open(followUp.news.key)), Object.values(to.secrets));
  return Object.assign(send, { follow: followMessage });
}

/** Removes secrets from the result, because a receiver may repeat them. */
function hideSecrets(result: SendResult, secrets: readonly string[]): SendResult {
  const hide = (text: string) =>
    secrets.reduce(
      (hidden, secret) => (secret.length < SHORTEST_HIDDEN ? hidden : hidden.replaceAll(secret, "…")),
      text,
    );
  return result.ok ? { ...result, answer: hide(result.answer) } : { ...result, reason: hide(result.reason) };
}
