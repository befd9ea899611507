const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `40s`, `12min`, `5h`, `3d`, `7wk`, `2yr`: the largest unit that fits, rounded down. Negative counts as now. */
export function formatAge(ageMs: number): string {
  if (ageMs < 10_000) return "now";
  if (ageMs < MINUTE) return `${Math.floor(ageMs / 10_000) * 10}s`;
  if (ageMs < HOUR) return `${Math.floor(ageMs / MINUTE)}min`;
  if (ageMs < 2 * DAY) return `${Math.floor(ageMs / HOUR)}h`;
  if (ageMs < 60 * DAY) return `${Math.floor(ageMs / DAY)}d`;
  if (ageMs < 730 * DAY) return `${Math.floor(ageMs / (7 * DAY))}wk`;
  return `${Math.floor(ageMs / (365 * DAY))}yr`;
}

/** The same with `ago`, for sentences. */
export function formatAgo(ageMs: number): string {
  const age = formatAge(ageMs);
  return age === "now" ? "just now" : `${age} ago`;
}
