/** Characters; RFC 5321 allows a path of 256 with its angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
export const MAX_NAME_LENGTH = 100;
export const MIN_PASSWORD_LENGTH = 8;
/** Longer input would only cost time: a limit, not a rule for people. */
export const MAX_PASSWORD_LENGTH = 1024;

export const LONG_EMAIL = `An e-mail address has at most ${MAX_EMAIL_LENGTH} characters.`;
export const LONG_PASSWORD = `A password has at most ${MAX_PASSWORD_LENGTH} characters.`;

/** With a status of 429 and `Retry-After`. */
export const BUSY_MESSAGE = "Too many passwords are being checked right now. Try again in a few seconds.";

/** An address as mail takes it, without what begins, ends or separates addresses in a header. */
const EMAIL = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()\\,;"]+$/u;

/**
 * Two addresses that look the same are the same: nothing in one is invisible, and characters that Unicode has twice (the Kelvin sign is a K,
 * and its small letter a k) are written as they usually are.
 */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && text === text.normalize("NFC");
}
