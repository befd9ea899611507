import { useEffect, useMemo, useRef, useState } from "react";
import { useFetcher, useLocation, useNavigationType } from "react-router";
import { useLive } from "../live/use-live.ts";
import type { IssueListItem, IssueListView } from "./list-issues.server.ts";
import { recallIssueList, rememberIssueList } from "./remembered-lists.ts";

/** While events come in all the time, the list asks this often what has changed. */
const ASK_EVERY_MS = 4_000;

export interface SteadyIssues {
  /** The rows, in the order in which they were first shown, with counts kept current. */
  issues: IssueListItem[];
  view: IssueListView;
  /** Issues that are not on the page, but would be on a fresh one. */
  news: { newCount: number; updatedCount: number };
}

/**
 * Keeps the list still while one reads it. What happens meanwhile changes counts in place, and is announced; nothing moves
 * until one asks for it. On the way back from an issue, the list is as it was left.
 */
export function useSteadyIssues(loaded: IssueListView, firstPagePath: string, isFiltered: boolean): SteadyIssues {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  const [recalled] = useState(() => (navigationType === "POP" ? { key, loaded, view: recallIssueList(key) } : null));
  const isBack = recalled?.view != null && recalled.key === key && recalled.loaded === loaded;
  const shown = (isBack && recalled?.view) || loaded;

  const fetcher = useFetcher<IssueListView>({ key: "issue-news" });
  const [added, setAdded] = useState<ReadonlyMap<number, Added>>(NOTHING);
  const asked = fetcher.data && fetcher.data.readAt > shown.readAt ? fetcher.data : null;
  // Where nothing is shown, nothing can move.
  const view = asked && shown.issues.length === 0 ? asked : shown;
  const fresh = asked ?? (isBack ? loaded : null);

  useEffect(() => rememberIssueList(key, view), [key, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added since is in the rows that were read
  useEffect(() => setAdded(NOTHING), [view.readAt, fresh?.readAt]);

  const ask = useAsk(() => void fetcher.load(firstPagePath));
  const visibleIds = useMemo(() => new Set(view.issues.map((issue) => issue.id)), [view]);
  useLive((event) => {
    if (event.kind === "gap" || event.kind === "resumed" || event.kind === "first-event") return ask();
    if (event.kind !== "issues") return;
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
  const news = useMemo(() => countNews(fresh, visibleIds, view.readAt), [fresh, visibleIds, view.readAt]);
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

function countNews(fresh: IssueListView | null, visibleIds: ReadonlySet<number>, readAt: number) {
  const others = fresh?.issues.filter((issue) => !visibleIds.has(issue.id) && issue.lastSeenAt > readAt) ?? [];
  const newCount = others.filter((issue) => issue.firstSeenAt > readAt).length;
  return { newCount, updatedCount: others.length - newCount };
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
