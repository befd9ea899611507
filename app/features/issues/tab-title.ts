import type { Issue } from "../../domain/issue.ts";

const LEADS: Readonly<Record<string, string>> = {
  compare: "Two events of ",
  events: "Events of ",
  tags: "Tags of ",
  similar: "Similar to ",
  split: "Split ",
  share: "Share ",
};

/** The title of the browser tab for a page of an issue: first the view, then the issue. */
export function toTabTitle({ shortId, title }: Pick<Issue, "shortId" | "title">, pathname: string): string {
  const [, view = "", eventId] = /^\/issues\/[^/]+\/([^/]+)(?:\/([^/]+))?/.exec(pathname) ?? [];
  const issue = `${shortId} ${title}`;
  if (eventId === undefined) return `${LEADS[view] ?? ""}${issue}`;
  return /^[\da-f-]{32,}$/i.test(eventId) ? `Event ${eventId.slice(0, 8)} of ${issue}` : issue;
}
