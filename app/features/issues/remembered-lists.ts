import type { IssueListView } from "./list-issues.server.ts";

/** After this time, people no longer remember what they saw. */
const REMEMBER_MS = 15 * 60_000;
const MAX_REMEMBERED = 8;

const lists = new Map<string, { view: IssueListView; at: number }>();

/** The place in the browser's history where the list was last shown. Null: nowhere. */
let listIndex: number | null = null;

/** Keeps the list as it was shown at a place of the browser's history. It is shown again in this form when the reader comes back. */
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

/** Called after an action, because kept lists may be wrong then. */
export function forgetIssueLists(): void {
  lists.clear();
}

/** The number of steps back in the browser's history to the last list. Null: it is not there, or no longer there. */
export function countStepsBackToList(): number | null {
  const here = readHistoryIndex();
  return listIndex !== null && here !== null && here > listIndex ? here - listIndex : null;
}

/** The router numbers the history entries that it makes. */
function readHistoryIndex(): number | null {
  const index: unknown = window.history.state?.idx;
  return typeof index === "number" ? index : null;
}
