import type { Feedback, FeedbackStatus, SpamReason } from "../../domain/feedback/feedback.ts";
import { SPAM_SENDERS } from "../../domain/feedback/judge-spam.ts";

/** The most parts of a replay's recording that are counted. */
export const MAX_REPLAY_PARTS = 1_000;

export const TAB_LABELS: Record<FeedbackStatus, string> = {
  unresolved: "Inbox",
  resolved: "Resolved",
  spam: "Spam",
};

/** Why feedback is in *Spam*, in words. */
export const SPAM_WORDS: Record<SpamReason, string> = {
  hand: "Somebody put it here.",
  many_senders: `${SPAM_SENDERS} or more senders wrote the same text within a day.`,
  known_text: "Somebody put the same text here before.",
};

/** The sender, as far as it is known. */
export function nameSender({ name, email }: Pick<Feedback, "name" | "email">): string {
  return name ?? email ?? "Somebody without a name";
}

const TITLE_CHARACTERS = 60;

/** Sender and text, for the title of a page, so that titles differ. */
export function toTitle({ message, ...sender }: Pick<Feedback, "name" | "email" | "message">): string {
  const text = message.length > TITLE_CHARACTERS ? `${message.slice(0, TITLE_CHARACTERS).toWellFormed()}…` : message;
  return `${nameSender(sender)}: ${text}`;
}

/** The path of a web page, without its host. Text that is no address stays as it was sent. */
export function toShortUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : `${host}${pathname}`;
}

/** A link that writes to the sender. Null: the text is no address of e-mail. */
export function toMailLink(email: string | null): string | null {
  return email !== null && /^[^\s@<>?&:]+@[^\s@<>?&:]+\.[^\s@<>?&:]+$/.test(email)
    ? `mailto:${encodeURIComponent(email)}`
    : null;
}
