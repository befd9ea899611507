/** The start of the names of better-auth's cookies. */
export const COOKIE_PREFIX = "culprit";
