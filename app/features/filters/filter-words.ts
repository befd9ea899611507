import { readConditionId } from "../../domain/filters/filter-reason.ts";

const WORDS: Readonly<Record<string, string>> = {
  "browser-extensions": "Browser extensions",
  "legacy-browsers": "Old browsers",
  "web-crawlers": "Web crawlers",
  localhost: "Local machines",
  "release-version": "Releases",
  "error-message": "Messages",
  "ip-address": "IP addresses",
  "spike-protection": "Spike protection",
  "issue-sample": "Sample of loud issues",
};

/** The words for a filter by the reason in the ledger. A project's own filter is named by its number. Null: the reason is no filter. */
export function findFilterWords(reason: string): string | null {
  const id = readConditionId(reason);
  if (id !== null) return `Own filter ${id}`;
  return Object.hasOwn(WORDS, reason) ? (WORDS[reason] as string) : null;
}

export function sayFilter(reason: string): string {
  return findFilterWords(reason) ?? reason;
}

export function toExamplePath(slug: string, reason: string): string {
  return `/projects/${slug}/filters/${encodeURIComponent(reason)}`;
}
