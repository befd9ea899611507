import { MONITOR_LIMITS } from "../monitor.ts";

/** A text as a slug: letters of every script stay as they are. Empty when nothing of it can be one. */
export function toSlug(text: string): string {
  return text
    .trim()
    .slice(0, MONITOR_LIMITS.slugChars)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
