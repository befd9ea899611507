import type { ServerResponse } from "node:http";
import type { Refusal } from "./refusal.ts";

/** The result of a request, before it becomes an HTTP response. */
export interface IngestAnswer {
  status: number;
  /** Null: the body is empty. */
  body: string | null;
  /** A body that is not one of our JSON answers. `body` is null then. */
  content?: { contentType: string; bytes: Uint8Array; headers?: readonly string[] };
  /** Values of the headers `Retry-After` (in seconds) and `X-Sentry-Rate-Limits`. Null: the header is not sent. */
  retryAfterSeconds: number | null;
  rateLimits: string | null;
  /** `X-Sentry-Error`. */
  error: string | null;
}

/** Without the second header, browsers hide limits and errors from scripts (protocol 1.4). */
const CORS = [
  "access-control-allow-origin",
  "*",
  "access-control-expose-headers",
  "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After",
  "cross-origin-resource-policy",
  "cross-origin",
];
const PREFLIGHT = [
  ...CORS,
  "access-control-allow-methods",
  "POST, GET, OPTIONS",
  "access-control-allow-headers",
  "X-Sentry-Auth, X-Requested-With, X-Forwarded-For, Origin, Referer, Accept, Authentication, Authorization, Content-Type, Content-Encoding, Transfer-Encoding, sentry-trace, baggage, traceparent, tracestate",
  "access-control-max-age",
  "3600",
  "content-length",
  "0",
];
const JSON_TYPE = ["content-type", "application/json"];
/** `{"id":"…"}` with 32 characters of id: the answer to almost every request. */
const WITH_ID = [...CORS, ...JSON_TYPE, "content-length", "41"];
const WITHOUT_BODY = [...CORS, "content-length", "0"];
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const PIXEL_HEADERS = [
  ...CORS,
  "content-type",
  "image/gif",
  "cache-control",
  "no-store",
  "content-length",
  String(PIXEL.length),
];

export function acceptedAnswer(eventId: string | null): IngestAnswer {
  const body = eventId === null ? "{}" : `{"id":"${eventId}"}`;
  return { status: 200, body, retryAfterSeconds: null, rateLimits: null, error: null };
}

export function refusedAnswer(refusal: Refusal, rateLimits: string | null = null): IngestAnswer {
  return {
    status: refusal.status,
    body: JSON.stringify({ detail: refusal.detail, causes: refusal.causes }),
    retryAfterSeconds: refusal.retryAfterSeconds,
    rateLimits,
    error: toHeaderText(refusal.detail),
  };
}

export function writeAnswer(res: ServerResponse, answer: IngestAnswer, more: readonly string[] = []): void {
  const { body, content, retryAfterSeconds, rateLimits, error } = answer;
  if (content !== undefined) {
    const { contentType, bytes, headers: ofContent = [] } = content;
    const headers = [...CORS, "content-type", contentType, "content-length", String(bytes.length), ...ofContent];
    headers.push(...limitHeaders(retryAfterSeconds, rateLimits));
    if (error !== null) headers.push("x-sentry-error", error);
    res.writeHead(answer.status, [...headers, ...more]);
    res.end(bytes);
    return;
  }
  if (body === null) {
    res.writeHead(answer.status, [...WITHOUT_BODY, ...limitHeaders(retryAfterSeconds, rateLimits), ...more]);
    res.end();
    return;
  }
  const bodyBytes = Buffer.byteLength(body);
  if (answer.status === 200 && bodyBytes === 41 && rateLimits === null) {
    res.writeHead(200, WITH_ID);
    // The body is ASCII, so latin1 gives the same bytes, and takes half the time to write, head included.
    res.end(body, "latin1");
    return;
  }
  const headers = [...CORS, ...JSON_TYPE, "content-length", String(bodyBytes)];
  headers.push(...limitHeaders(retryAfterSeconds, rateLimits));
  if (error !== null) headers.push("x-sentry-error", error);
  headers.push(...more);
  res.writeHead(answer.status, headers);
  res.end(body);
}

export function writePreflight(res: ServerResponse): void {
  res.writeHead(200, PREFLIGHT);
  res.end();
}

/** The answer to an image request: a transparent GIF of one pixel. */
export function writePixel(res: ServerResponse): void {
  res.writeHead(200, PIXEL_HEADERS);
  res.end(PIXEL);
}

/** The same headers as an object, for callers inside the process. */
export function answerHeaders(answer: IngestAnswer): Record<string, string> {
  const headers: Record<string, string> = {};
  const list = limitHeaders(answer.retryAfterSeconds, answer.rateLimits);
  for (let at = 0; at + 1 < list.length; at += 2) headers[list[at] ?? ""] = list[at + 1] ?? "";
  return headers;
}

function limitHeaders(retryAfterSeconds: number | null, rateLimits: string | null): string[] {
  const headers: string[] = [];
  if (retryAfterSeconds !== null) headers.push("retry-after", String(retryAfterSeconds));
  if (rateLimits !== null) headers.push("x-sentry-rate-limits", rateLimits);
  return headers;
}

/** The detail as a header text. It may quote sent data, and headers may only have printable ASCII. */
function toHeaderText(detail: string): string {
  return detail.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 300);
}
