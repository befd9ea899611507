import { createHmac, randomBytes } from "node:crypto";
import type { ChannelValues } from "../domain/channels/channel.ts";
import { DAY_MS } from "../domain/time.ts";

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
/** After a rotation, messages carry both signatures for so long: receivers change over without losing one. */
export const ROTATION_OVERLAP_MS = DAY_MS;

export function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** The secrets of a webhook with a new one that signs; the one before signs too, until the overlap is over. */
export function rotateSigningSecret(secrets: ChannelValues, now: number): ChannelValues & { secret: string } {
  const { secret: previousSecret = "", previousSecret: _, previousUntil: __, ...others } = secrets;
  const made = { ...others, secret: createSigningSecret() };
  if (previousSecret === "") return made;
  return { ...made, previousSecret, previousUntil: String(now + ROTATION_OVERLAP_MS) };
}

/** https://www.standardwebhooks.com, version 1.0.0: base64 of HMAC-SHA256 over id, seconds and body; of each secret that holds. */
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
