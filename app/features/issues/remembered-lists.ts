import type { IssueListView } from "./list-issues.server.ts";

/** Longer ago, one no longer remembers what one saw. */
const REMEMBER_MS = 15 * 60_000;
const MAX_REMEMBERED = 8;

const lists = new Map<string, { view: IssueListView; at: number }>();

/** Where in the browser's history the list was last shown. */
let listIndex: number | null = null;

/** Keeps the list as it was shown at a place of the browser's history, to be shown so again on the way back. */
export function rememberIssueList(historyKey: string, view: IssueListView): void {
  listIndex = readHistoryIndex();
  lists.delete(historyKey);
  lists.set(historyKey, { view, at: Date.now() });
  const oldest = lists.keys().next().value;
  if (lists.size > MAX_REMEMBERED && oldest !== undefined) lists.delete(oldest);
}

export function recallIssueList(historyKey: string): IssueListView | null {
  const list = lists.get(historyKey);
  return list && Date.now() - list.at < REMEMBER_MS ? list.view : null;
}

/** After an action: what was shown may be wrong now. */
export function forgetIssueLists(): void {
  lists.clear();
}

/** How far back in the browser's history the last list is; null when it is not there (any more). */
export function countStepsBackToList(): number | null {
  const here = readHistoryIndex();
  return listIndex !== null && here !== null && here > listIndex ? here - listIndex : null;
}

/** The router numbers the entries that it makes. */
function readHistoryIndex(): number | null {
  const index: unknown = window.history.state?.idx;
  return typeof index === "number" ? index : null;
}
