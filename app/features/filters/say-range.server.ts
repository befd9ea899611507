import type { TimeRange } from "./time-ranges.ts";

/** What a page says that shows another range than its address names. Empty: it shows that one. */
export function sayRange(params: URLSearchParams, ranges: readonly TimeRange[], shown: string): string[] {
  const asked = params.get("range") ?? "";
  if (asked === "" || asked === shown) return [];
  const missing = /^\d+-\d+$/.test(asked) ? "cannot show a chosen time" : `has no time range “${asked.slice(0, 40)}”`;
  return [`This page ${missing}: it shows the last ${ranges.find(({ value }) => value === shown)?.label}.`];
}
