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

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
