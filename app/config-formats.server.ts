import { parseAddressRange } from "./address-range.server.ts";
import type { Parsed } from "./config-variable.server.ts";
import { STORED_SIGNALS, type StoredSignal } from "./domain/stored-signal.ts";
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./features/auth/credential-limits.ts";

export const MAX_RETENTION_DAYS = 3650;
const MAX_TUNNEL_PATHS = 8;
const MAX_ADDRESS_RANGES = 16;

/** Paths of the server itself: a variable for a path may not name one. */
export const TAKEN_PATHS =
  /^\/(act|alerts|api|arrived|assets|assignees|error-feedback|events|feedback|healthz|issues|live|metric-monitors|metrics|orgredirect|projects|readyz|set-?up|search-values|settings|js-sdk|js-sdk-loader|organizations|attachments|day|issue-news|releases|sign-in|sign-out|theme|find|invitation|reset-password|change-email|crons|logs|performance|traces|uptime|v1|views|share|second-factor|status)(\/|$)/;

/** Headers that have another meaning. An identity header is taken out of requests, so it may not be one of them. */
export const TAKEN_HEADERS =
  /^(accept|authorization|baggage|connection|content-|cookie|expect|host$|if-|last-event-id|origin|range|referer|sec-|sentry-|te$|trace|transfer-|upgrade|user-agent|x-sentry-|x-forwarded-(for|host|proto|port)$)/i;

export function ok<Value>(value: Value): Parsed<Value> {
  return { ok: true, value };
}

export const bad: Parsed<never> = { ok: false };

export function parseSignalDays(text: string): Parsed<Partial<Record<StoredSignal, number>>> {
  const days: Partial<Record<StoredSignal, number>> = {};
  for (const pair of text.split(",")) {
    const [, name, amount] = /^\s*([a-z-]+)\s*=\s*(\d{1,4})\s*$/.exec(pair) ?? [];
    const signal = STORED_SIGNALS.find((each) => each === name);
    const value = Number(amount);
    if (signal === undefined || signal in days || !(value >= 1 && value <= MAX_RETENTION_DAYS)) return bad;
    days[signal] = value;
  }
  return ok(days);
}

export function parseTunnelPaths(text: string): Parsed<readonly string[]> {
  const paths = text.split(",").map((path) => path.trim().replace(/\/+$/, ""));
  const isGood = paths.every((path) => /^(\/[\w.-]+)+$/.test(path) && !TAKEN_PATHS.test(path));
  return isGood && paths.length <= MAX_TUNNEL_PATHS ? ok(paths) : bad;
}

export function parseAddressRanges(text: string): Parsed<readonly string[]> {
  const ranges = text.split(",").map((range) => range.trim());
  const isGood = ranges.every((range) => (parseAddressRange(range)?.prefix ?? 0) > 0);
  return isGood && ranges.length <= MAX_ADDRESS_RANGES ? ok(ranges) : bad;
}

export function parseSignOutUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && !url.username ? ok(url.href) : bad;
}

export function parsePublicUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return bad;
  return ok(url.href.replace(/\/+$/, ""));
}

export function parseSmtpUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || url.search || url.hash) return bad;
  // A percent sign that begins no escape could not be decoded when mail is sent.
  const isDecodable = /^(?:[^%]|%[0-9a-f]{2})*$/i.test(url.username + url.password);
  return isDecodable && /^\/?$/.test(url.pathname) ? ok(text) : bad;
}

export function parseAdmin(text: string): Parsed<{ email: string; password: string }> {
  const colon = text.indexOf(":");
  const email = text.slice(0, colon).trim().toLowerCase();
  const password = text.slice(colon + 1);
  return colon > 0 &&
    /^[^\s@]+@[^\s@]+$/.test(email) &&
    email.length <= MAX_EMAIL_LENGTH &&
    password.length >= MIN_PASSWORD_LENGTH &&
    password.length <= MAX_PASSWORD_LENGTH
    ? ok({ email, password })
    : bad;
}

/** Only allows characters that a header transmits unchanged: with others, the token would never match. */
export function parseToken(text: string): Parsed<string> {
  return /^[\x21-\x7e]+$/.test(text) ? ok(text) : bad;
}
