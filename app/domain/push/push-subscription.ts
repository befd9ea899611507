import { isRecord } from "../is-record.ts";

/** A browser in which a person wants to be told (Push API). */
export interface PushSubscription {
  id: number;
  userId: number;
  /** The https URL at the browser vendor's push service. It is a secret: everybody who knows it can send messages. */
  endpoint: string;
  /** The browser's public key: 65 bytes of P-256 in base64url. */
  p256dh: string;
  /** The shared secret: 16 bytes in base64url. */
  auth: string;
  /** `Firefox on Linux`. */
  browser: string;
  createdAt: number;
}

export type NewPushSubscription = Pick<PushSubscription, "endpoint" | "p256dh" | "auth" | "browser">;

export const MAX_PUSH_SUBSCRIPTIONS = 10;
const MAX_ENDPOINT_LENGTH = 1_000;

/** The kinds of news for which a person can choose how they are told. */
export const PERSONAL_NEWS = ["rules", "acts", "feedback"] as const;
export type PersonalNews = (typeof PERSONAL_NEWS)[number];

/** The ways to reach a person. */
export const WAYS = ["mail", "browsers"] as const;
export type Way = (typeof WAYS)[number];

export type Reach = Readonly<Record<PersonalNews, Readonly<Record<Way, boolean>>>> & {
  /** Time zone for times in mails. Absent: the zone of the quiet hours, or UTC. */
  readonly timezone?: string;
};

/** Until somebody chooses otherwise, everything goes every way that there is. */
export const DEFAULT_REACH: Reach = {
  rules: { mail: true, browsers: true },
  acts: { mail: true, browsers: true },
  feedback: { mail: true, browsers: true },
};

const BYTES = /^[\w-]+$/;

/** Reads a subscription that a browser sent. Null: no message can be encrypted for it. */
export function readPushSubscription(value: unknown): Pick<PushSubscription, "endpoint" | "p256dh" | "auth"> | null {
  if (!isRecord(value) || !isRecord(value.keys)) return null;
  const { endpoint, keys } = value;
  const { p256dh, auth } = keys;
  if (typeof endpoint !== "string" || typeof p256dh !== "string" || typeof auth !== "string") return null;
  const url = URL.parse(endpoint);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (endpoint.length > MAX_ENDPOINT_LENGTH || url.username !== "" || url.password !== "") return null;
  const key = withoutPadding(p256dh);
  const secret = withoutPadding(auth);
  // The key is an uncompressed point: 65 bytes, and the first one is 4. The secret has 16 bytes.
  if (key.length !== 87 || !key.startsWith("B") || !BYTES.test(key)) return null;
  if (secret.length !== 22 || !BYTES.test(secret)) return null;
  return { endpoint, p256dh: key, auth: secret };
}

function withoutPadding(text: string): string {
  return text.replace(/=+$/, "");
}
