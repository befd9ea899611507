import type { IncomingMessage } from "node:http";
import { HOUR_MS } from "../domain/time.ts";
import {
  describeProblem,
  type PublicTargetOptions,
  parseOutboundUrl,
  requestPublic,
} from "../outbound/request-public.server.ts";
import type { SendResult } from "./send-result.ts";

export interface ChannelRequest extends PublicTargetOptions {
  url: string;
  method?: "POST" | "PATCH" | "PUT";
  headers?: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  now: number;
  signal: AbortSignal;
}

export interface ChannelAnswer {
  /** The result by the status alone. An API may also say in its body that it refused. */
  result: SendResult;
  /** The HTTP status. 0: there was no answer. */
  status: number;
  /** The start of the body, as it was sent. */
  body: string;
}

/** Bytes that are read. That is enough for every kind, whose answers hold the message that was made. */
const MAX_ANSWER_BYTES = 32 * 1024;
const MAX_SHOWN_LENGTH = 200;
/** If a receiver asks for a longer pause, it is tried again after this time anyway. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

/** Sends one request, with a JSON body unless the headers say otherwise. Redirects are not followed. Never throws. */
export async function requestChannel({ url, headers, now, ...options }: ChannelRequest): Promise<ChannelAnswer> {
  const { signal } = options;
  try {
    const response = await requestPublic(parseOutboundUrl(url), {
      ...options,
      method: options.method ?? "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Culprit (notifications)",
        accept: "*/*",
        ...headers,
      },
    });
    try {
      const { statusCode: status = 0, headers: answered } = response;
      const body = await readStart(response);
      const answer = `${status} ${shorten(body)}`.trim();
      if (status >= 200 && status < 300) return { result: { ok: true, answer }, status, body };
      const isRedirect = status >= 300 && status < 400;
      const reason = isRedirect ? `${status}: it redirects, which is not followed` : answer;
      const retryAfterMs = readRetryAfter(answered["retry-after"], now);
      return { result: { ok: false, reason, isPermanent: false, retryAfterMs }, status, body };
    } finally {
      response.destroy();
    }
  } catch (error) {
    const { reason } = describeProblem(error, signal);
    return { result: { ok: false, reason, isPermanent: false, retryAfterMs: null }, status: 0, body: "" };
  }
}

/** An answer on one line, as pages show it. */
export function shorten(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_SHOWN_LENGTH);
}

async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES).toString("utf8");
}

/** Milliseconds to wait, from a header with seconds or with a date. Discord sends fractions of seconds. Null: there is none. */
function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Math.ceil(Number(header) * 1000) : Date.parse(header) - now;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}
