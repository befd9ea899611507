import { useEffect, useMemo, useRef, useState } from "react";
import { useFetcher, useLocation, useNavigationType } from "react-router";
import { useLive } from "../live/use-live.ts";
import { type IssueFilters, toIssueListPath } from "./issue-filters.ts";
import { type IssueNews, toIssueNews, toNewsPath } from "./issue-news.ts";
import type { IssueListItem, IssueListView } from "./list-issues.server.ts";
import { recallIssueList, rememberIssueList } from "./remembered-lists.ts";

/** While events come in all the time, the list asks this often what has changed. */
const ASK_EVERY_MS = 4_000;

export interface SteadyIssues {
  /** The rows, in the order in which they were first shown, with counts kept current. */
  issues: IssueListItem[];
  view: IssueListView;
  /** What is not on the page, but would be in a fresh list; null: nothing. */
  news: IssueNews | null;
}

/**
 * Keeps the list still while one reads it. What happens meanwhile changes counts in place, and is announced; nothing moves
 * until one asks for it. On the way back from an issue, the list is as it was left.
 */
export function useSteadyIssues(loaded: IssueListView, filters: IssueFilters): SteadyIssues {
  const path = toIssueListPath(filters, { cursor: filters.cursor });
  const isFiltered = filters.environments.length > 0 || /environment:/i.test(filters.search);
  const { key } = useLocation();
  const navigationType = useNavigationType();
  const [recalled] = useState(() => (navigationType === "POP" ? { key, loaded, view: recallIssueList(key) } : null));
  const isBack = recalled?.view != null && recalled.key === key && recalled.loaded === loaded;
  const shown = (isBack && recalled?.view) || loaded;

  // One for each list: what was read of another says nothing about this one.
  const fetcher = useFetcher<IssueListView>({ key: `issue-news ${path}` });
  const [added, setAdded] = useState<ReadonlyMap<number, Added>>(NOTHING);
  const asked = fetcher.data && fetcher.data.readAt > shown.readAt ? fetcher.data : null;
  // Where nothing is shown, nothing can move.
  const view = asked && shown.issues.length === 0 ? asked : shown;
  const fresh = asked ?? (isBack ? loaded : null);

  useEffect(() => rememberIssueList(key, view), [key, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added since is in the rows that were read
  useEffect(() => setAdded(NOTHING), [view.readAt, fresh?.readAt]);

  const ask = useAsk(() => void fetcher.load(toNewsPath(path, view.readAt)));
  // What the live feed has called new since the rows were read, whatever the clocks of the senders say.
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with other rows
  const arrivedIds = useMemo(() => new Set<number>(), [view]);
  // The loader has read this page anew, but not what is new on others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the way back
  useEffect(() => {
    if (isBack) ask();
  }, [isBack]);
  const visibleIds = useMemo(() => new Set(view.issues.map((issue) => issue.id)), [view]);
  useLive((event) => {
    if (event.kind === "gap" || event.kind === "resumed" || event.kind === "first-event") return ask();
    if (event.kind !== "issues") return;
    for (const change of event.changes) if (change.transition === "new") arrivedIds.add(change.issueId);
    const visible = event.changes.filter((change) => visibleIds.has(change.issueId));
    if (visible.length < event.changes.length) ask();
    // Which of the events are in the chosen environments is not told: only a fresh page knows.
    else if (isFiltered) ask();
    if (!isFiltered && visible.length > 0) setAdded((before) => withAdded(before, visible, event.at));
  });

  const issues = useMemo(() => {
    const freshById = new Map(fresh?.issues.map((issue) => [issue.id, issue]));
    return view.issues.map((issue) => toCurrent(freshById.get(issue.id) ?? issue, added.get(issue.id)));
  }, [view, fresh, added]);
  const news = useMemo(() => toIssueNews(view, fresh, { filters, arrivedIds }), [view, fresh, filters, arrivedIds]);
  return { issues, view, news };
}

interface Added {
  events: number;
  lastSeenAt: number;
}

const NOTHING: ReadonlyMap<number, Added> = new Map();

function withAdded(
  before: ReadonlyMap<number, Added>,
  changes: ReadonlyArray<{ issueId: number; events: number }>,
  at: number,
): ReadonlyMap<number, Added> {
  const after = new Map(before);
  for (const { issueId, events } of changes) {
    after.set(issueId, { events: (before.get(issueId)?.events ?? 0) + events, lastSeenAt: at });
  }
  return after;
}

function toCurrent(issue: IssueListItem, added: Added | undefined): IssueListItem {
  if (!added) return issue;
  return {
    ...issue,
    eventCount: issue.eventCount + added.events,
    matchingEventCount: issue.matchingEventCount + added.events,
    lastSeenAt: Math.max(issue.lastSeenAt, added.lastSeenAt),
    trend: issue.trend.map((count, index) => (index === issue.trend.length - 1 ? count + added.events : count)),
  };
}

/** At once when nothing was asked for a while; otherwise when its time has come. */
function useAsk(load: () => void): () => void {
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  const askedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    const wait = Math.max(250, askedAt.current + ASK_EVERY_MS - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      askedAt.current = Date.now();
      if (document.visibilityState === "visible") latest.current();
    }, wait);
  };
}
