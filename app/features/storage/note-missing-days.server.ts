import type { LostDay } from "../../domain/storage/storage-watch.ts";
import { DAY_MS } from "../../domain/time.ts";

/** The header for programs, which see no banner above the answer. */
const HEADER = "culprit-missing-days";
/** The most days in the header. A proxy refuses an answer whose headers take more than some kilobytes. */
const MAX_NAMED = 40;

/** Adds a header that names the rows which no search finds because the file of their day is damaged: `2026-11-20 logs, 2026-11-21 spans`. */
export function noteMissingDays(headers: Headers, lost: readonly LostDay[]): void {
  if (lost.length === 0) return;
  const names = lost.map(({ day, signal }) => `${new Date(day * DAY_MS).toISOString().slice(0, 10)} ${signal}`);
  const named = [...new Set(names)].toSorted();
  const rest = named.length > MAX_NAMED ? [`and ${named.length - MAX_NAMED} more`] : [];
  headers.set(HEADER, [...named.slice(0, MAX_NAMED), ...rest].join(", "));
}
