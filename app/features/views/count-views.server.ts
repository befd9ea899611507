import { LRUCache } from "lru-cache";
import type { Workspace } from "../../access/workspace.ts";
import { findReadLimit } from "../../domain/read-limit.ts";
import type { SavedView, ViewedList } from "../../domain/saved-view.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { readExploreOptions, toExploreTime } from "../explore/explore-options.ts";
import { pickProjects } from "../explore/pick-projects.server.ts";
import { planSpanSearch } from "../explore/plan-span-search.server.ts";
import { parseIssueFilters } from "../issues/issue-filters.ts";
import { findFilter } from "../issues/list-issues.server.ts";
import { parseLogFilters, toBucketMs, toLogTime } from "../logs/log-filters.ts";
import { readLogFilters } from "../logs/read-log-filters.server.ts";

/** The number of items that a view finds. `isAtLeast`: there may be more. */
export interface ViewCount {
  count: number;
  isAtLeast: boolean;
}

/** The most views of a list that are counted, because each count is a search. */
const MAX_COUNTED_VIEWS = 20;
/** The store of issues counts up to this number. */
const MAX_ISSUES = 1_000;
const LOG_BUDGET_MS = 300;

/** Counts by list, query and the projects of the scope, so that nobody learns the numbers of projects that they do not see. */
const counts = new LRUCache<string, { found: ViewCount | null }>({ max: 1_000, ttl: MINUTE_MS });

/** The counts by id of the view. Views that cannot be counted are left out. They are counted one after the other, because each may read much. */
export async function countViews(
  workspace: Workspace,
  { views, now }: { views: readonly SavedView[]; now: number },
): Promise<Record<number, ViewCount>> {
  const found: Record<number, ViewCount> = {};
  for (const { id, list, query } of views.slice(0, MAX_COUNTED_VIEWS)) {
    const key = JSON.stringify([workspace.scope.organizationId, workspace.scope.projectIds, list, query]);
    let known = counts.get(key);
    if (!known) {
      const params = new URLSearchParams(query);
      known = { found: await COUNT[list](workspace, params, now).catch(ignoreReadLimit) };
      counts.set(key, known);
    }
    if (known.found) found[id] = known.found;
  }
  return found;
}

/** A list that takes too much to read has no count. Any other failure is a fault. */
function ignoreReadLimit(error: unknown): null {
  if (findReadLimit(error) === null) throw error;
  return null;
}

type Count = (workspace: Workspace, params: URLSearchParams, now: number) => Promise<ViewCount | null>;

const COUNT: Readonly<Record<ViewedList, Count>> = {
  async issues(workspace, params, now) {
    const found = await findFilter(workspace, { filters: parseIssueFilters(params), now });
    if (!found.ok) return null;
    const { scope, query } = found.filter;
    const { matchingCount } = await workspace.state.issues.listIssues(scope, {
      ...query,
      sort: "last_seen",
      cursor: null,
      limit: 1,
    });
    return { count: matchingCount, isAtLeast: matchingCount >= MAX_ISSUES };
  },
  async logs(workspace, params, now) {
    const filters = parseLogFilters(params);
    const { lineFilter, errors } = await readLogFilters(workspace, { filters, now });
    if (errors.length > 0) return null;
    const time = toLogTime(filters, now);
    const { buckets, countedFrom } = await workspace.events.summarizeLogs(
      { ...lineFilter, ...time },
      { bucketMs: toBucketMs(time), budgetMs: LOG_BUDGET_MS },
    );
    return { count: buckets.reduce((sum, { count }) => sum + count, 0), isAtLeast: countedFrom > time.from };
  },
  async traces(workspace, params, now) {
    const options = readExploreOptions(params);
    const projects = await workspace.state.projects.listProjects(workspace.scope);
    const picked = pickProjects(workspace, options, projects);
    if (picked === null) return null;
    const { from, to } = toExploreTime(options.period, now);
    const { filter, problems } = await planSpanSearch(workspace, {
      search: options.search,
      projectIds: picked.projectIds,
      environments: options.environments,
      from,
      to,
      now,
    });
    if (problems.length > 0) return null;
    const { sums, searchedFrom } = await workspace.events.sumFoundSpans(filter, { by: [], bucketMs: null, limit: 1 });
    return { count: Math.round(sums.reduce((sum, { weight }) => sum + weight, 0)), isAtLeast: searchedFrom !== null };
  },
  // Its search is a part of a name, and the page shows only the largest.
  async performance() {
    return null;
  },
};
