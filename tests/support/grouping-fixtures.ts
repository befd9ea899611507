import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, SentryEvent } from "../../app/domain/event.ts";

const here = join(import.meta.dirname, "../fixtures/grouping");

export const BROWSERS = ["chromium", "firefox", "webkit"] as const;
export type Browser = (typeof BROWSERS)[number];

/** Names of the errors that were recorded in every browser: `set-timeout`, `set-timeout.min`. */
export function browserCases(): string[] {
  return readdirSync(join(here, "browsers/chromium"))
    .filter((file) => file !== "messages.json")
    .map((file) => file.replace(/\.json$/, ""))
    .sort();
}

/** As the SDK sent it. */
export function readRecorded(browser: Browser, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(here, "browsers", browser, `${name}.json`), "utf8"));
}

/** What the browser says about each of the mistakes in `tests/record/browser-app/messages.js`. */
export function readMessages(browser: Browser): Record<string, { type: string; value: string }> {
  return JSON.parse(readFileSync(join(here, "browsers", browser, "messages.json"), "utf8"));
}

export function platformCases(): string[] {
  return readdirSync(join(here, "platforms"))
    .map((file) => file.replace(/\.json$/, ""))
    .sort();
}

/** Normalised already. */
export function readPlatformEvent(name: string): SentryEvent {
  return JSON.parse(readFileSync(join(here, "platforms", `${name}.json`), "utf8"));
}

/** The least of normalisation that a recorded event needs, so that keys can be held to the letter whatever that becomes. */
export function asEvent(recorded: Record<string, unknown>): SentryEvent {
  const event = structuredClone(recorded) as unknown as RecordedEvent;
  const { message, request, ...rest } = event;
  for (const { stacktrace } of event.exception?.values ?? []) stacktrace?.frames.forEach(splitAddress);
  return {
    ...rest,
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1_767_323_045,
    received: 1_767_323_046,
    ...(message === undefined ? {} : { logentry: { formatted: message } }),
    request: { url: request.url, headers: Object.entries(request.headers) },
  };
}

type RecordedEvent = Omit<SentryEvent, "request"> & {
  message?: string;
  request: { url: string; headers: Record<string, string> };
};

function splitAddress(frame: Frame): void {
  frame.abs_path = frame.filename;
  frame.filename = URL.parse(frame.filename ?? "")?.pathname ?? frame.filename;
}
