/** Characters. RFC 5321 allows a path of 256 including its angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
export const MAX_NAME_LENGTH = 100;
export const MIN_PASSWORD_LENGTH = 8;
/** A technical limit, not a rule for people: longer input would only cost time. */
export const MAX_PASSWORD_LENGTH = 1024;

export const LONG_EMAIL = `An e-mail address has at most ${MAX_EMAIL_LENGTH} characters.`;
export const LONG_PASSWORD = `A password has at most ${MAX_PASSWORD_LENGTH} characters.`;

/** Sent with status 429 and `Retry-After`. */
export const BUSY_MESSAGE = "Too many passwords are being checked right now. Try again in a few seconds.";

/** An address as mail accepts it, without characters that begin, end or separate addresses in a header. */
const EMAIL = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()\\,;"]+$/u;

/**
 * Whether a text is an e-mail address. Two addresses that look the same must be the same. So invisible characters are not allowed,
 * and characters with two Unicode forms must have the usual one (the Kelvin sign is a K, and its small letter a k).
 */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && text === text.normalize("NFC");
}
