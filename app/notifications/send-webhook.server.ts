import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Webhook } from "../domain/notification.ts";
import { HOUR_MS } from "../domain/time.ts";
import {
  describeProblem,
  type PublicTargetOptions,
  parseOutboundUrl,
  requestPublic,
} from "../outbound/request-public.server.ts";
import type { SendResult } from "./send-result.ts";

export interface SendWebhookOptions extends PublicTargetOptions {
  /** The id of the message, the same for all attempts: a receiver that knows it has the message. */
  key: string;
  now: number;
  signal: AbortSignal;
}

/** The part of the answer that the settings page shows. */
const MAX_ANSWER_BYTES = 4 * 1024;
const MAX_SHOWN_LENGTH = 200;
/** A receiver that asks for a longer pause is asked again anyway. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

/** Posts a body, signed as Standard Webhooks says. Redirects are not followed. Never throws. */
export async function sendWebhook(webhook: Webhook, body: string, options: SendWebhookOptions): Promise<SendResult> {
  const { key, now, signal } = options;
  try {
    const response = await requestPublic(parseOutboundUrl(webhook.url), {
      ...options,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Culprit (notifications)",
        accept: "*/*",
        ...(webhook.form === "json" && signatureHeaders(webhook.secret, { key, now, body })),
      },
      body,
    });
    try {
      const { statusCode = 0, headers } = response;
      const answer = `${statusCode} ${await readStart(response)}`.trim();
      if (statusCode >= 200 && statusCode < 300) return { ok: true, answer };
      const isRedirect = statusCode >= 300 && statusCode < 400;
      const reason = isRedirect ? `${statusCode}: it redirects, which is not followed` : answer;
      return { ok: false, reason, isPermanent: false, retryAfterMs: readRetryAfter(headers["retry-after"], now) };
    } finally {
      response.destroy();
    }
  } catch (error) {
    return { ok: false, reason: describeProblem(error, signal).reason, isPermanent: false, retryAfterMs: null };
  }
}

/** https://www.standardwebhooks.com, version 1.0.0: base64 of HMAC-SHA256 over id, seconds and body. */
export function signatureHeaders(
  secret: string,
  { key, now, body }: { key: string; now: number; body: string },
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", bytes).update(`${key}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": key, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}

async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  const text = Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES).toString("utf8");
  return text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_SHOWN_LENGTH);
}

/** Seconds, or a date. */
function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}
