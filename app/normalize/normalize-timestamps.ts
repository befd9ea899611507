import type { EventError } from "../domain/event.ts";
import { MAX_AHEAD_MS } from "../domain/time.ts";
import { parseTimestampSeconds } from "../protocol/timestamps.ts";
import type { JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";

/** A clock that is off by less is not corrected: perhaps the network was slow (protocol 5.2). */
const MIN_DRIFT_SECONDS = 55 * 60;
const MAX_FUTURE_SECONDS = MAX_AHEAD_MS / 1000;
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

export interface EventTimes {
  timestamp: number;
  startTimestamp: number | undefined;
  received: number;
  /** Seconds that every other timestamp of the event must be moved by; 0 for a clock that is right. */
  shift: number;
}

/**
 * Decides when the event happened, in seconds since 1970. A sender's clock that is clearly wrong is corrected by the time between `sent_at`
 * and arrival. If the result is still in the future, or more than 30 days old, the arrival counts.
 */
export function normalizeTimestamps(
  raw: JsonObject,
  context: { receivedAt: number; sentAt: unknown },
  errors: EventError[],
  meta: MetaRecorder,
): EventTimes {
  const received = context.receivedAt / 1000;
  const sent = parseField(raw, "timestamp", meta);
  const started = parseField(raw, "start_timestamp", meta);
  let shift = clockDriftSeconds(context.sentAt, received);
  if (shift !== 0) report("clock_drift", received - shift);
  let timestamp = received;
  if (sent !== null) {
    timestamp = shiftSeconds(sent, shift);
    const isFuture = timestamp > received + MAX_FUTURE_SECONDS;
    if (isFuture || timestamp < received - MAX_AGE_SECONDS) {
      report(isFuture ? "future_timestamp" : "past_timestamp", timestamp);
      shift += received - timestamp;
      timestamp = received;
    }
  }
  return {
    timestamp,
    startTimestamp: started === null ? undefined : shiftSeconds(started, shift),
    received,
    shift,
  };

  function report(type: "clock_drift" | "future_timestamp" | "past_timestamp", sdkSeconds: number): void {
    const times = { sdk_time: toIso(sdkSeconds), server_time: toIso(received) };
    errors.push({ type, name: "timestamp", ...times });
    meta.error("timestamp", type, times);
  }
}

/** How far the sender's clock is behind. 0 if it is right, or if `sentAt` is unusable. */
export function clockDriftSeconds(sentAt: unknown, received: number): number {
  const sent = parseTimestampSeconds(sentAt);
  return sent !== null && Math.abs(received - sent) >= MIN_DRIFT_SECONDS ? received - sent : 0;
}

/** Microseconds are what the protocol keeps; adding would leave noise behind them. */
export function shiftSeconds(seconds: number, shift: number): number {
  return shift === 0 ? seconds : Math.round((seconds + shift) * 1e6) / 1e6;
}

/** Whether the time is readable but surely a mistake. */
export function isBefore1970(value: unknown): boolean {
  if (typeof value === "number") return value < 0;
  if (typeof value !== "string") return false;
  const first = value.charCodeAt(0);
  // "-" of a number, "0" and "1" of a year.
  if (first !== 45 && first !== 48 && first !== 49) return false;
  return /^-\d+(?:\.\d+)?$/.test(value) || (/^[01]\d{3}-/.test(value) && value < "1970");
}

function parseField(raw: JsonObject, key: "timestamp" | "start_timestamp", meta: MetaRecorder): number | null {
  const value = raw[key];
  if (value === undefined || value === null) return null;
  const seconds = parseTimestampSeconds(value);
  if (seconds === null) meta.invalid(key, "expected a timestamp", value);
  return seconds;
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
