import { HOUR_MS } from "../../domain/time.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { appendPlaceFilters, type PlaceFilters, readPlaceFilters, withParams } from "../filters/filter-params.ts";
import { findRange, pickRanges } from "../filters/time-ranges.ts";

export const ISSUE_RANGES = pickRanges("1h", "24h", "7d", "14d", "30d", "90d");
export type IssueRange = (typeof ISSUE_RANGES)[number]["value"];

const ISSUE_SORTS = [
  "last_seen",
  "first_seen",
  "events",
  "users",
  "priority",
] as const satisfies readonly IssueQuery["sort"][];
export type IssueSort = (typeof ISSUE_SORTS)[number];

export const TREND_SPANS = {
  "24h": { label: "24h", bucketMs: HOUR_MS, bucketCount: 24 },
  "14d": { label: "14d", bucketMs: 12 * HOUR_MS, bucketCount: 28 },
} as const;
export type TrendSpan = keyof typeof TREND_SPANS;

/** The filters in the URL of the issue list. They hold everything that changes the view, so a link shows the same. */
export interface IssueFilters extends PlaceFilters {
  range: IssueRange;
  search: string;
  sort: IssueSort;
  trend: TrendSpan;
  cursor: string | null;
}

export const DEFAULT_SEARCH = "is:unresolved";

const DEFAULTS: IssueFilters = {
  projectSlugs: [],
  environments: [],
  range: "14d",
  search: DEFAULT_SEARCH,
  sort: "last_seen",
  trend: "14d",
  cursor: null,
};

/** Never fails: a value that it does not know becomes the default. An empty `q` means no search. */
export function parseIssueFilters(params: URLSearchParams): IssueFilters {
  return {
    ...readPlaceFilters(params),
    range: findRange(ISSUE_RANGES, params.get("range"), DEFAULTS.range).value,
    search: params.get("q")?.trim() ?? DEFAULTS.search,
    sort: ISSUE_SORTS.find((sort) => sort === params.get("sort")) ?? DEFAULTS.sort,
    trend: params.get("trend") === "24h" ? "24h" : DEFAULTS.trend,
    cursor: params.get("cursor") || null,
  };
}

/** The text to check for an id or an address. `/` puts the caret after the default search, so people paste there. */
export function toPastedText(search: string): string {
  return search.startsWith(`${DEFAULT_SEARCH} `) ? search.slice(DEFAULT_SEARCH.length) : search;
}

/** The address of the list with something changed. Any change other than of the cursor goes back to the first page. */
export function toIssueListPath(filters: IssueFilters, change: Partial<IssueFilters> = {}): string {
  const next = { ...filters, cursor: null, ...change };
  const params = new URLSearchParams();
  appendPlaceFilters(params, next);
  if (next.range !== DEFAULTS.range) params.set("range", next.range);
  if (next.search !== DEFAULTS.search) params.set("q", next.search);
  if (next.sort !== DEFAULTS.sort) params.set("sort", next.sort);
  if (next.trend !== DEFAULTS.trend) params.set("trend", next.trend);
  if (next.cursor) params.set("cursor", next.cursor);
  return withParams("/issues", params);
}

/** Whether there are filters other than those of the default view. */
export function isNarrowed(filters: IssueFilters): boolean {
  return (
    filters.projectSlugs.length > 0 ||
    filters.environments.length > 0 ||
    filters.range !== DEFAULTS.range ||
    filters.search !== DEFAULTS.search
  );
}

/** Milliseconds since 1970. The end is open, so that events that arrive while somebody reads count. */
export function toTimeBounds(range: IssueRange, now: number): { from: number; to: null } {
  return { from: now - findRange(ISSUE_RANGES, range, DEFAULTS.range).durationMs, to: null };
}

/** The range of the trend in whole buckets. The last one ends with the current hour. */
export function toTrendRange(span: TrendSpan, now: number): { from: number; to: number; bucketMs: number } {
  const { bucketMs, bucketCount } = TREND_SPANS[span];
  const to = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
  return { from: to - bucketMs * bucketCount, to, bucketMs };
}

/** The views that take one click. Each sets the `is:` words and the assignee, and keeps the rest of the search. */
export const ISSUE_VIEWS: ReadonlyArray<{ label: string; is: readonly string[]; assigned?: string }> = [
  { label: "Unresolved", is: ["unresolved"] },
  { label: "Mine", is: ["unresolved"], assigned: "me" },
  { label: "My teams’", is: ["unresolved"], assigned: "my_teams" },
  { label: "Unassigned", is: ["unresolved"], assigned: "none" },
  { label: "New", is: ["new"] },
  { label: "Regressed", is: ["regressed"] },
  { label: "Unhandled", is: ["unresolved", "unhandled"] },
  { label: "Resolved", is: ["resolved"] },
  { label: "Archived", is: ["archived"] },
  { label: "Snoozed", is: ["snoozed"] },
  { label: "All", is: [] },
];

const VIEW_ASSIGNED = /^assigned:(me|my_teams|none)$/i;

/** The search with its `is:` words replaced. Unless `assigned` is absent, its words on the assignee are replaced too (null: removed). */
export function withView(search: string, is: readonly string[], assigned?: string | null): string {
  const others = search
    .split(/\s+/)
    .filter((word) => word !== "" && !/^!?is:/i.test(word) && (assigned === undefined || !VIEW_ASSIGNED.test(word)));
  return [...is.map((word) => `is:${word}`), ...(assigned ? [`assigned:${assigned}`] : []), ...others].join(" ");
}

/** The search with one more word. A word on status replaces the words that contradict it. */
export function withWord(search: string, word: string): string {
  const words = search.split(/\s+/).filter(Boolean);
  if (words.includes(word)) return search;
  const isStatus = /^is:(?!unhandled)/.test(word);
  const kept = isStatus ? words.filter((other) => !/^!?is:(?!unhandled|handled)/i.test(other)) : words;
  return [...kept, word].join(" ");
}

/** The label of the view with the search's `is:` words. Null: there is no such view. */
export function toViewLabel(search: string): string | null {
  const is = search
    .split(/\s+/)
    .filter((word) => /^!?is:/i.test(word))
    .map((word) => word.toLowerCase().replace(/^is:/, ""))
    .sort()
    .join();
  const assigned = search
    .split(/\s+/)
    .flatMap((word) => VIEW_ASSIGNED.exec(word)?.[1]?.toLowerCase() ?? [])
    .join();
  const isCurrent = (view: (typeof ISSUE_VIEWS)[number]) =>
    [...view.is].sort().join() === is && (view.assigned ?? "") === assigned;
  return ISSUE_VIEWS.find(isCurrent)?.label ?? null;
}
