import type { PushSubscription } from "../../domain/push/push-subscription.ts";
import { requestChannel } from "../request-channel.server.ts";
import type { SendResult } from "../send-result.ts";
import { encryptPush, MAX_PUSH_BYTES } from "./encrypt-push.server.ts";
import { type PushKeys, toVapidHeader } from "./vapid.server.ts";

/** The text that a browser shows. */
export interface PushNotice {
  title: string;
  body: string;
  /** The page that a click opens. Null: the address of this server is unknown. */
  url: string | null;
}

/** Makes one attempt. `key` is the same for all attempts of a message. `isGone`: the browser does not want messages any more. Never throws. */
export type SendPush = (
  subscription: Pick<PushSubscription, "endpoint" | "p256dh" | "auth">,
  notice: PushNotice,
  key: string,
) => Promise<SendResult & { isGone: boolean }>;

/** Short, because a person waits for a test on a page. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** How long a push service keeps a message for a browser that is not running. */
const KEEP_SECONDS = 24 * 60 * 60;
const GONE = new Set([404, 410]);

export function createSendPush({
  getKeys,
  findSubject,
  allowsPrivate,
  now,
}: {
  getKeys: () => Promise<PushKeys>;
  /** See `toVapidHeader`. */
  findSubject: () => Promise<string | null>;
  /** Whether push services may be at addresses outside of the public internet. */
  allowsPrivate: boolean;
  now: () => number;
}): SendPush {
  return async (subscription, notice, key) => {
    const { endpoint } = subscription;
    const at = now();
    let body: Buffer;
    try {
      body = encryptPush(toBytes({ ...notice, key }), subscription);
    } catch {
      const reason = "the browser's key is not valid";
      return { ok: false, reason, isPermanent: true, retryAfterMs: null, isGone: true };
    }
    const authorization = toVapidHeader(await getKeys(), { endpoint, subject: await findSubject(), now: at });
    const { result, status } = await requestChannel({
      url: endpoint,
      headers: {
        authorization,
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(KEEP_SECONDS),
        urgency: "high",
        // A second attempt replaces the first if the browser has not got that yet. At most 32 characters.
        topic: key.slice(0, 32),
      },
      body,
      ...(allowsPrivate && { isPublic: () => true }),
      now: at,
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    });
    const isGone = GONE.has(status);
    return result.ok ? { ...result, isGone } : { ...result, isPermanent: isGone || status === 413, isGone };
  };
}

/** The message as JSON. If it is too long, the end of its text is cut. */
function toBytes(message: PushNotice & { key: string }): Buffer {
  const whole = Buffer.from(JSON.stringify(message));
  if (whole.length <= MAX_PUSH_BYTES) return whole;
  // A character takes at most six bytes in JSON, and the other fields are short.
  return Buffer.from(
    JSON.stringify({ ...message, title: message.title.slice(0, 150), body: message.body.slice(0, 300) }),
  );
}
