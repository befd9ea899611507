/** Ends of lines, other control characters, and marks that turn the direction of what follows. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Turns a typed text into one line. In mails and messages, a second line of a name would look like words of the sender. */
export function toOneLine(text: string): string {
  return text.replace(NOT_IN_A_LINE, " ").trim();
}
