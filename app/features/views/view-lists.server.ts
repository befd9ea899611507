import { VIEWED_LISTS, type ViewedList } from "../../domain/saved-view.ts";
import { readExploreOptions, toExplorePath } from "../explore/explore-options.ts";
import { parseIssueFilters, toIssueListPath } from "../issues/issue-filters.ts";
import { parseLogFilters, toLogsPath } from "../logs/log-filters.ts";
import { parsePerformanceFilters, toPerformancePath } from "../performance/performance-filters.ts";

export function readViewedList(name: unknown): ViewedList | null {
  return VIEWED_LISTS.find((list) => list === name) ?? null;
}

/** The address of a list without the position in it: what is open, the page, the selection. */
const TO_PATH: Readonly<Record<ViewedList, (params: URLSearchParams) => string>> = {
  issues: (params) => toIssueListPath(parseIssueFilters(params)),
  traces: (params) => toExplorePath(readExploreOptions(params), { selection: null, before: null }),
  logs: (params) => toLogsPath(parseLogFilters(params), { before: null, line: null, isLive: false }),
  performance: (params) => toPerformancePath(parsePerformanceFilters(params)),
};

/** The query of a view of the list, always in the same form. */
export function toViewQuery(list: ViewedList, params: URLSearchParams): string {
  return TO_PATH[list](params).split(/\?(.*)/s)[1] ?? "";
}
