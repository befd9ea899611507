import type { Feedback, FeedbackStatus, SpamReason } from "../../domain/feedback/feedback.ts";
import { SPAM_SENDERS } from "../../domain/feedback/judge-spam.ts";

/** Of a replay, so many parts of its recording are counted. */
export const MAX_REPLAY_PARTS = 1_000;

export const TAB_LABELS: Record<FeedbackStatus, string> = {
  unresolved: "Inbox",
  resolved: "Resolved",
  spam: "Spam",
};

/** Why something is in *Spam*. */
export const SPAM_WORDS: Record<SpamReason, string> = {
  hand: "Somebody put it here.",
  many_senders: `${SPAM_SENDERS} or more senders wrote the same text within a day.`,
  known_text: "Somebody put the same text here before.",
};

/** Who wrote it, as far as that is known. */
export function nameSender({ name, email }: Pick<Feedback, "name" | "email">): string {
  return name ?? email ?? "Somebody without a name";
}

const TITLE_CHARACTERS = 60;

/** Who wrote what, for the title of a page: it tells messages apart. */
export function toTitle({ message, ...sender }: Pick<Feedback, "name" | "email" | "message">): string {
  const text = message.length > TITLE_CHARACTERS ? `${message.slice(0, TITLE_CHARACTERS).toWellFormed()}…` : message;
  return `${nameSender(sender)}: ${text}`;
}

/** The path of a web page without its host, else the text as it was sent. */
export function toShortUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : `${host}${pathname}`;
}

/** An address that a link can write to. */
export function toMailLink(email: string | null): string | null {
  return email !== null && /^[^\s@<>?&:]+@[^\s@<>?&:]+\.[^\s@<>?&:]+$/.test(email)
    ? `mailto:${encodeURIComponent(email)}`
    : null;
}
