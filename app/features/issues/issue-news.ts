import { type IssueFilters, toIssueListPath } from "./issue-filters.ts";
import type { IssueListView } from "./list-issues.server.ts";

/** The text of the strip above the list, and its link. */
export interface IssueNews {
  words: string;
  /** The label of the link. */
  action: string;
  to: string;
}

const SINCE = "since";

/**
 * Reads the page of the list at this path again, with the issues that are new since then (milliseconds since 1970). Null if that
 * fails: the next message asks again, and `LiveNotice` tells people whose session has ended.
 */
export async function loadIssueNews(path: string, sinceAt: number, signal: AbortSignal): Promise<IssueListView | null> {
  const params = new URLSearchParams(path.split("?")[1]);
  params.set(SINCE, String(sinceAt));
  try {
    const answer = await fetch(`/issue-news?${params}`, { signal, headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as IssueListView) : null;
  } catch {
    return null;
  }
}

/** Milliseconds since 1970. Null: the address does not ask for new issues. */
export function parseNewSince(params: URLSearchParams): number | null {
  const text = params.get(SINCE) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Says what has happened to the list since `shown` was read. Null: nothing of interest. *New* issues match the filters and were not
 * there before. They count whatever page and order they are in, and on every page. *With new events* are known issues that a fresh
 * copy of this page would show and this one does not. They only exist on the first page of a list whose order follows the events.
 * The link shows the counted issues: the first page of this order if new issues are at its top, otherwise the newest issues first.
 */
export function toIssueNews(
  shown: IssueListView,
  fresh: IssueListView | null,
  { filters, arrivedIds }: { filters: IssueFilters; arrivedIds: ReadonlySet<number> },
): IssueNews | null {
  if (!fresh || fresh === shown) return null;
  const shownIds = new Set(shown.issues.map((issue) => issue.id));
  const isNew = (issue: { id: number; firstSeenAt: number }) =>
    !shownIds.has(issue.id) && (issue.firstSeenAt > shown.readAt || arrivedIds.has(issue.id));
  const newCount = (fresh.newest ?? fresh.issues).filter(isNew).length;
  const isFirstPage = filters.cursor === null;
  const updatedCount =
    isFirstPage && filters.sort !== "first_seen"
      ? fresh.issues.filter((issue) => !shownIds.has(issue.id) && issue.lastSeenAt > shown.readAt && !isNew(issue))
          .length
      : 0;

  const followsTime = filters.sort === "last_seen" || filters.sort === "first_seen";
  if (newCount > 0 && !followsTime) {
    return { words: sayNew(newCount), action: "Newest first", to: toIssueListPath(filters, { sort: "first_seen" }) };
  }
  const parts = [newCount > 0 ? sayNew(newCount) : "", updatedCount > 0 ? sayUpdated(updatedCount) : ""];
  const words = parts.filter(Boolean).join(", ");
  return words === "" ? null : { words, action: isFirstPage ? "Show" : "First page", to: toIssueListPath(filters) };
}

/** The server lists at most 100. */
function sayNew(count: number): string {
  return count >= 100 ? "100 or more new issues" : `${count} new ${count === 1 ? "issue" : "issues"}`;
}

function sayUpdated(count: number): string {
  return `${count} more ${count === 1 ? "issue has" : "issues have"} new events`;
}
