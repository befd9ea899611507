import { createHmac, randomBytes } from "node:crypto";
import type { ChannelValues } from "../domain/channels/channel.ts";
import { DAY_MS } from "../domain/time.ts";

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** For so long after a rotation, messages have both signatures, so that receivers can change over without losing a message. */
export const ROTATION_OVERLAP_MS = DAY_MS;

export function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Returns the secrets of a webhook with a new signing secret. The earlier secret also signs until the overlap is over. */
export function rotateSigningSecret(secrets: ChannelValues, now: number): ChannelValues & { secret: string } {
  const { secret: previousSecret = "", previousSecret: _, previousUntil: __, ...others } = secrets;
  const made = { ...others, secret: createSigningSecret() };
  if (previousSecret === "") return made;
  return { ...made, previousSecret, previousUntil: String(now + ROTATION_OVERLAP_MS) };
}

/**
 * The signature headers of https://www.standardwebhooks.com, version 1.0.0: base64 of HMAC-SHA256 over id, seconds and body, for each
 * secret that is valid.
 */
export function signatureHeaders(
  { secret = "", previousSecret = "", previousUntil = "0" }: ChannelValues,
  { key, now, body }: { key: string; now: number; body: string },
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const sign = (text: string) => {
    const bytes = Buffer.from(text.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", bytes).update(`${key}.${seconds}.${body}`).digest("base64")}`;
  };
  const holding = [secret, ...(previousSecret !== "" && now < Number(previousUntil) ? [previousSecret] : [])];
  return { "webhook-id": key, "webhook-timestamp": seconds, "webhook-signature": holding.map(sign).join(" ") };
}
