const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * An age in words: `now`, `40 s`, `12 min`, `5 h`, `3 d`, `7 wk`, `2 yr`. It uses the largest unit that fits, rounds down, and keeps number
 * and unit on one line. A negative age is `now`.
 */
export function formatAge(ageMs: number): string {
  if (ageMs < 10_000) return "now";
  if (ageMs < MINUTE) return `${Math.floor(ageMs / 10_000) * 10}\u00a0s`;
  if (ageMs < HOUR) return `${Math.floor(ageMs / MINUTE)}\u00a0min`;
  if (ageMs < 2 * DAY) return `${Math.floor(ageMs / HOUR)}\u00a0h`;
  if (ageMs < 60 * DAY) return `${Math.floor(ageMs / DAY)}\u00a0d`;
  if (ageMs < 730 * DAY) return `${Math.floor(ageMs / (7 * DAY))}\u00a0wk`;
  return `${Math.floor(ageMs / (365 * DAY))}\u00a0yr`;
}

/** The age with `ago`, for sentences. */
export function formatAgo(ageMs: number): string {
  const age = formatAge(ageMs);
  return age === "now" ? "just now" : `${age} ago`;
}
