/** Ends of lines, other control characters, and marks that turn the direction of what follows. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * What somebody typed as one line. Names go into mails and messages, where a second line would look like the sender's own words.
 */
export function toOneLine(text: string): string {
  return text.replace(NOT_IN_A_LINE, " ").trim();
}
