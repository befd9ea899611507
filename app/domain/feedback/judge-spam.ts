import { DAY_MS } from "../time.ts";
import type { SpamReason } from "./feedback.ts";

/** If this many senders send the same text within `SPAM_WINDOW_MS`, it is a campaign. */
export const SPAM_SENDERS = 5;
export const SPAM_WINDOW_MS = DAY_MS;
/** Many people say short texts, like “it does not work”. Characters. */
const MIN_SPAM_TEXT = 20;

/** Facts about a text that arrives again in the same project. */
export interface KnownText {
  /** Distinct senders within `SPAM_WINDOW_MS`, including the present one. */
  senderCount: number;
  /** Somebody moved the same text into *Spam*, and nobody moved it out later. */
  isMarked: boolean;
  /** Somebody has taken the same text out of *Spam*. */
  isCleared: boolean;
}

/**
 * Whether feedback goes to *Spam* by itself, and why. What people decided about a text holds for the next one with it; otherwise
 * the same text from several senders is spam.
 */
export function judgeSpam({ senderCount, isMarked, isCleared }: KnownText): Exclude<SpamReason, "hand"> | null {
  if (isCleared) return null;
  if (isMarked) return "known_text";
  return senderCount >= SPAM_SENDERS ? "many_senders" : null;
}

/** The text as it is compared: case, blanks and punctuation do not count. Null: too short to tell anything. */
export function toComparedText(message: string): string | null {
  const text = message
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return text.length < MIN_SPAM_TEXT ? null : text;
}
