/** Of the names of better-auth's cookies. */
export const COOKIE_PREFIX = "culprit";
