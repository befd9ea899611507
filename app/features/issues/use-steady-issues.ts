import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";
import { hasNewsSince, type IssuesMessage, listIssuesMessages, useLive } from "../live/use-live.ts";
import { type IssueFilters, toIssueListPath } from "./issue-filters.ts";
import { type IssueNews, loadIssueNews, toIssueNews } from "./issue-news.ts";
import type { IssueListItem, IssueListView } from "./list-issues.server.ts";
import { recallIssueList, rememberIssueList } from "./remembered-lists.ts";

/** The list asks for changes this often while events keep coming. */
const ASK_EVERY_MS = 4_000;
/** If the page is hidden, or the last answer has not arrived, it waits this long before it checks again. */
const LOOK_AGAIN_MS = 1_000;

export interface SteadyIssues {
  /** The rows in the order in which they were first shown, with current counts. */
  issues: IssueListItem[];
  view: IssueListView;
  /** Issues that a fresh list would show and the page does not. Null: none. */
  news: IssueNews | null;
}

/**
 * Keeps the list still while somebody reads it. Updates change counts in place and are announced; nothing moves until the reader
 * asks for it. When the reader comes back from an issue, the list is as it was left.
 */
export function useSteadyIssues(loaded: IssueListView, filters: IssueFilters): SteadyIssues {
  const path = toIssueListPath(filters, { cursor: filters.cursor });
  const isFiltered = filters.environments.length > 0 || /environment:/i.test(filters.search);
  const { key } = useLocation();
  const navigationType = useNavigationType();
  const [recalled] = useState(() => (navigationType === "POP" ? { key, loaded, view: recallIssueList(key) } : null));
  const isBack = recalled?.view != null && recalled.key === key && recalled.loaded === loaded;
  const shown = (isBack && recalled?.view) || loaded;

  const { answer, load } = useIssueNews(path);
  const [heard, setHeard] = useState<readonly IssuesMessage[]>([]);
  const asked = answer && answer.readAt > shown.readAt ? answer : null;
  // An empty list cannot move. The first issues that come into it are shown at once.
  const [filled, setFilled] = useState<{ of: IssueListView; view: IssueListView } | null>(null);
  const isFilled = filled?.of === shown;
  if (asked && !isFilled && shown.issues.length === 0 && asked.issues.length > 0) {
    setFilled({ of: shown, view: asked });
  }
  const view = shown.issues.length > 0 ? shown : isFilled ? filled.view : (asked ?? shown);
  const fresh = asked ?? (isBack ? loaded : null);

  const readAt = Math.max(view.readAt, fresh?.readAt ?? 0);

  useEffect(() => rememberIssueList(key, view), [key, view]);

  const ask = useAsk(() => load(view.readAt));
  // Ids that the live feed has called new since the rows were read. They do not depend on the senders' clocks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts over with other rows
  const arrivedIds = useMemo(() => new Set<number>(), [view]);
  // The loader has reloaded this page, but it does not report new issues of other pages.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the way back
  useEffect(() => {
    if (isBack) ask();
  }, [isBack]);
  const take = (message: IssuesMessage) => {
    for (const change of message.changes) if (change.transition === "new") arrivedIds.add(change.issueId);
    // The message does not say which of the events are in the chosen environments.
    if (isFiltered) return;
    setHeard((before) => (before.includes(message) ? before : [...before.filter(({ at }) => at > readAt), message]));
  };
  // Messages that were published while these rows were loading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the rows
  useEffect(() => {
    for (const message of listIssuesMessages(view.readAt)) take(message);
    if (hasNewsSince(view.readAt)) ask();
  }, [view]);
  useLive((event) => {
    if (
      event.kind === "backlog" ||
      event.kind === "activity" ||
      event.kind === "lost" ||
      (event.kind === "opened" && !hasNewsSince(readAt))
    )
      return;
    if (event.kind === "issues") take(event);
    // Asks even if only counts changed: only a fresh page shows whether an event was already counted.
    ask();
  });

  const issues = useMemo(() => {
    const freshById = new Map(fresh?.issues.map((issue) => [issue.id, issue]));
    const added = sumSince(heard, readAt);
    return view.issues.map((issue) => toCurrent(freshById.get(issue.id) ?? issue, added.get(issue.id)));
  }, [view, fresh, heard, readAt]);
  const news = useMemo(() => toIssueNews(view, fresh, { filters, arrivedIds }), [view, fresh, filters, arrivedIds]);
  return { issues, view, news };
}

/** The fresh list at this path, once it has loaded. Null if what was loaded is of another list. */
function useIssueNews(path: string): {
  answer: IssueListView | null;
  /** Returns false if the last answer has not arrived yet. */
  load: (sinceAt: number) => boolean;
} {
  const [answer, setAnswer] = useState<{ path: string; view: IssueListView } | null>(null);
  const asking = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that is shown no more is asked about no more
  useEffect(() => () => asking.current?.abort(), [path]);
  const load = async (sinceAt: number, ending: AbortController) => {
    const view = await loadIssueNews(path, sinceAt, ending.signal);
    if (asking.current === ending) asking.current = undefined;
    if (view && !ending.signal.aborted) setAnswer({ path, view });
  };
  return {
    answer: answer?.path === path ? answer.view : null,
    load(sinceAt) {
      if (asking.current && !asking.current.signal.aborted) return false;
      asking.current = new AbortController();
      void load(sinceAt, asking.current);
      return true;
    },
  };
}

interface Added {
  events: number;
  lastSeenAt: number;
}

/** Events since the reading, by issue: the sum of the messages that were published after it. */
function sumSince(heard: readonly IssuesMessage[], readAt: number): ReadonlyMap<number, Added> {
  const added = new Map<number, Added>();
  for (const { at, changes } of heard) {
    if (at <= readAt) continue;
    for (const { issueId, events } of changes)
      added.set(issueId, { events: (added.get(issueId)?.events ?? 0) + events, lastSeenAt: at });
  }
  return added;
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

/**
 * Returns a function that asks soon if nothing was asked for a while, and otherwise at the end of the interval. It waits while
 * `load` returns false, which means that asking is not possible now, and while the page is hidden.
 */
function useAsk(load: () => boolean): () => void {
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  const askedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = () => {
    if (document.visibilityState === "hidden" || !latest.current()) {
      timer.current = setTimeout(look, LOOK_AGAIN_MS);
      return;
    }
    timer.current = undefined;
    askedAt.current = Date.now();
  };
  return () => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(look, Math.max(250, askedAt.current + ASK_EVERY_MS - Date.now()));
  };
}
