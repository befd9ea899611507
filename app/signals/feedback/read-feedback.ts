import { cutText } from "../../domain/cut-text.ts";
import {
  type FeedbackSource,
  MAX_CONTACT_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_URL_LENGTH,
  type SentFeedback,
} from "../../domain/feedback/feedback.ts";
import { toComparedText } from "../../domain/feedback/judge-spam.ts";
import { parseUserAgent } from "../../normalize/user-agent.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { toIdentity } from "../identity.ts";
import { type Json, releaseAndEnvironment, toRecord } from "../item-summary.ts";
import type { ArrivedItem } from "../signal.ts";

/** Reads a `feedback` item: an event with `contexts.feedback` (protocol 4.8). Null: it has no text. */
export function readFeedback(value: Json, item: ArrivedItem): SentFeedback | null {
  const contexts = toRecord(value.contexts);
  const said = toRecord(contexts.feedback);
  const user = toRecord(value.user);
  const about = normalizeEventId(said.associated_event_id) ?? (item.isBesideEvent ? item.entry.eventId : null);
  return toFeedback(item, {
    source: "feedback",
    eventId: item.entry.eventId ?? normalizeEventId(value.event_id),
    aboutEventId: about,
    traceId: normalizeEventId(toRecord(contexts.trace).trace_id),
    replayId: normalizeEventId(said.replay_id) ?? normalizeEventId(toRecord(contexts.replay).replay_id),
    name: said.name ?? user.name ?? user.username,
    email: said.contact_email ?? user.email,
    message: said.message,
    url: said.url ?? toRecord(value.request).url,
    ...releaseAndEnvironment(value),
    browser: sayBrowser(contexts.browser) ?? browserOf(item),
    user,
  });
}

/** Reads a `user_report` item. Its URL and release come from its event. Null: it has no text. */
export function readReport(value: Json, item: ArrivedItem): SentFeedback | null {
  const eventId = normalizeEventId(value.event_id) ?? item.entry.eventId;
  return toFeedback(item, {
    source: "report",
    eventId: item.entry.eventId ?? eventId,
    aboutEventId: eventId,
    traceId: null,
    replayId: null,
    name: value.name,
    email: value.email,
    message: value.comments,
    url: null,
    environment: null,
    release: null,
    browser: browserOf(item),
    user: {},
  });
}

interface Said
  extends Pick<
    SentFeedback,
    "eventId" | "aboutEventId" | "traceId" | "replayId" | "environment" | "release" | "browser"
  > {
  source: FeedbackSource;
  name: unknown;
  email: unknown;
  message: unknown;
  url: unknown;
  user: Json;
}

function toFeedback(item: ArrivedItem, { user, ...said }: Said): SentFeedback | null {
  const message = toText(said.message, MAX_MESSAGE_LENGTH);
  if (message === null) return null;
  const email = toText(said.email, MAX_CONTACT_LENGTH);
  const compared = toComparedText(message);
  const sender = email?.toLowerCase() ?? user.id ?? user.username ?? user.ip_address ?? item.entry.clientAddress;
  return {
    ...said,
    itemIndex: item.itemIndex,
    name: toText(said.name, MAX_CONTACT_LENGTH),
    email,
    message,
    url: toText(said.url, MAX_URL_LENGTH),
    textHash: compared === null ? null : toIdentity("feedback text", [compared]),
    // A hash tells senders apart without storing an address that the user did not give.
    sender: sender === null || sender === undefined ? null : toIdentity("feedback sender", [String(sender)]),
  };
}

/** Keeps line breaks, and removes other control characters. Null for a blank text, and for values that are no text. */
function toText(value: unknown, maxLength: number): string | null {
  if (typeof value !== "string") return null;
  const text = value
    .replaceAll("\r\n", "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .trim();
  return text === "" ? null : cutText(text.toWellFormed(), maxLength);
}

function browserOf({ entry }: ArrivedItem): string | null {
  return sayBrowser(parseUserAgent(entry.userAgent, entry.clientHints ?? null).browser);
}

/** The browser with the first number of its version: `Chrome 126`. */
function sayBrowser(browser: unknown): string | null {
  const { name, version } = toRecord(browser);
  if (typeof name !== "string" || name.trim() === "") return null;
  const major = typeof version === "string" ? (/^\d+/.exec(version)?.[0] ?? "") : "";
  return `${name.trim()} ${major}`.trim().slice(0, 60).toWellFormed();
}
