import type { Workspace } from "../../access/workspace.ts";
import { BUILT_IN_SLUG, type Project } from "../../domain/project.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import type { IssueListRow, IssueQuery } from "../../stores/state/issue-store.ts";
import { toEventId } from "../events/event-id.ts";
import { type Platform, toPlatform } from "../projects/platforms.ts";
import type { IssueFilter } from "./change-issues.server.ts";
import { findIssueFilter } from "./find-issue-filter.server.ts";
import { type IssueFilters, toTimeBounds, toTrendRange } from "./issue-filters.ts";
import type { EmptyList } from "./issue-list-empty.tsx";
import { type Emptiness, sayEmptyList } from "./say-empty-list.server.ts";
import { toSnooze } from "./snooze-issues.server.ts";

const ISSUES_PER_PAGE = 25;

/** An issue as a row of the list shows it. */
export interface IssueListItem extends IssueListRow {
  project: { slug: string; family: Platform["family"] };
  trend: number[];
  commentCount: number;
  isBookmarked: boolean;
  /** Whether the reader has opened its page. */
  hasSeen: boolean;
  /** The end of the reader's snooze, in milliseconds since 1970. Null: the reader has not snoozed it. */
  snoozedUntil: number | null;
}

export interface IssueListView extends Emptiness {
  issues: IssueListItem[];
  /**
   * Issues of the whole list, on any page, that were first seen after `newSince` or within the 15 minutes before it, because an
   * event may arrive late. The newest come first, at most 100. Null: the request did not ask for it.
   */
  newest: Array<{ id: number; firstSeenAt: number }> | null;
  /** Every project, sorted by name. */
  projects: Array<{ slug: string; name: string }>;
  environments: string[];
  /** Matching issues, counted up to 1,000. */
  matchingCount: number;
  nextCursor: string | null;
  previousCursor: string | null;
  /** The parts of the search that are not understood, with their positions. If there are any, nothing was searched for. */
  refusals: SearchError[];
  /** Sentences about other filters that could not be used as they are, and about results that may be missing. */
  problems: string[];
  /** What the page shows instead of issues. Null: there are issues. */
  empty: EmptyList | null;
  /** When it was read, in milliseconds since 1970. */
  readAt: number;
}

/** The issue list for these filters: one page of issues with their trends, and the choices of the page's controls. */
export async function listIssues(
  workspace: Workspace,
  { filters, now, newSince = null }: { filters: IssueFilters; now: number; newSince?: number | null },
): Promise<IssueListView> {
  const { state, events } = workspace;
  const projects = await state.projects.listProjects(workspace.scope);
  const { scope, query, refusals, problems, offered } = await toQuery(workspace, filters, projects, now);
  const chosen: readonly number[] = scope.projectIds;
  const [page, environments, newest] = await Promise.all([
    chosen.length > 0 && refusals.length === 0
      ? state.issues.listIssues(scope, query)
      : { issues: [], matchingCount: 0, nextCursor: null, previousCursor: null },
    offered.projectIds.length > 0 ? events.listEnvironments(offered.projectIds) : [],
    newSince === null || chosen.length === 0 || refusals.length > 0
      ? null
      : listNewest({ state, scope }, query, newSince),
  ]);
  const ids = page.issues.map((issue) => issue.id);
  const { user } = workspace;
  const [readers, comments] = await Promise.all([
    user && state.comments.listReaders(scope, user.id, ids),
    state.comments.countComments(scope, ids),
  ]);
  const trends = await state.issues.listTrends(scope, ids, {
    ...toTrendRange(filters.trend, now),
    ...(query.environments ? { environments: query.environments } : {}),
  });
  const byId = new Map(projects.map((project) => [project.id, project]));
  const own = projects.filter((project) => project.slug !== BUILT_IN_SLUG);
  const emptiness = toEmptiness(page.issues.length, { own, projects, chosen, isRefused: refusals.length > 0 });
  const waiting = own.find((project) => project.firstEventAt === null && chosen.includes(project.id)) ?? null;
  const waitingProject = waiting && { slug: waiting.slug, name: waiting.name };
  return {
    issues: page.issues.map((issue) => ({
      ...issue,
      project: toProjectMark(byId.get(issue.projectId), issue.platform),
      trend: trends.get(issue.id) ?? [],
      commentCount: comments.get(issue.id) ?? 0,
      isBookmarked: readers?.get(issue.id)?.isBookmarked ?? false,
      snoozedUntil: toSnooze(readers?.get(issue.id)?.snoozedUntil, now),
      hasSeen: (readers?.get(issue.id)?.seenAt ?? null) !== null,
    })),
    newest,
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    environments,
    matchingCount: page.matchingCount,
    nextCursor: page.nextCursor,
    previousCursor: page.previousCursor,
    refusals,
    problems: [...problems, ...sayUnseen(query.environments ?? [], environments)],
    emptiness,
    waitingProject,
    empty: sayEmptyList({ emptiness, waitingProject }, { filters, scope: workspace.scope }),
    readAt: now,
  };
}

/** Milliseconds. An event whose time, by its sender's clock, is this much before its arrival can still be new. */
const MAX_LATENESS_MS = 15 * 60_000;
const MAX_NEWEST = 100;

async function listNewest(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  query: IssueQuery,
  newSince: number,
): Promise<NonNullable<IssueListView["newest"]>> {
  const { issues } = await state.issues.listIssues(scope, {
    ...query,
    sort: "first_seen",
    cursor: null,
    limit: MAX_NEWEST,
  });
  return issues
    .filter((issue) => issue.firstSeenAt > newSince - MAX_LATENESS_MS)
    .map(({ id, firstSeenAt }) => ({ id, firstSeenAt }));
}

/** The query for the list's filters, for all of its pages; or a sentence about a word that is not understood. */
export async function findFilter(
  workspace: Workspace,
  { filters, now }: { filters: IssueFilters; now: number },
): Promise<{ ok: true; filter: IssueFilter } | { ok: false; message: string }> {
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const { scope, query, refusals } = await toQuery(workspace, filters, projects, now);
  const [refusal] = refusals;
  return refusal === undefined ? { ok: true, filter: { scope, query } } : { ok: false, message: refusal.message };
}

async function toQuery(
  workspace: Workspace,
  filters: IssueFilters,
  projects: readonly Project[],
  now: number,
): Promise<{ scope: Scope; query: IssueQuery; refusals: SearchError[]; problems: string[]; offered: Scope }> {
  const problems: string[] = [];
  // If an id names something, that page is shown instead of the list. An id that arrives here names nothing.
  if (toEventId(filters.search) !== null) problems.push(`No event and no trace has the id “${filters.search}”.`);
  const bySlug = new Map(projects.map((project) => [project.slug, project.id]));
  const chosen = filters.projectSlugs.flatMap((slug) => {
    const id = bySlug.get(slug);
    if (id === undefined) problems.push(`There is no project “${slug}”.`);
    return id ?? [];
  });
  const offered = filters.projectSlugs.length > 0 ? narrowScope(workspace.scope, chosen) : workspace.scope;
  const { environments } = filters;
  const found = await findIssueFilter(workspace, {
    search: filters.search,
    scope: offered,
    place: { ...(environments.length > 0 ? { environments } : {}), ...toTimeBounds(filters.range, now) },
    now,
    hidesSnoozed: true,
  });
  return {
    scope: found.scope,
    query: { ...found.query, sort: filters.sort, cursor: filters.cursor, limit: ISSUES_PER_PAGE },
    refusals: found.errors,
    problems: [...problems, ...found.notes],
    offered,
  };
}

/** Sentences about environments that have no event. The store lists at most 200 environments: with that many, others may have events. */
function sayUnseen(asked: readonly string[], seen: readonly string[]): string[] {
  if (seen.length >= 200) return [];
  return asked
    .filter((name) => !seen.includes(name))
    .map((name) => `No event of these projects has come from the environment “${name}”.`);
}

/** The project's platform. If it has none, the platform of the issue's events. */
function toProjectMark(project: Project | undefined, eventPlatform: string): IssueListItem["project"] {
  const { family } = toPlatform(project?.platform ?? "");
  return { slug: project?.slug ?? "", family: family === "other" ? toPlatform(eventPlatform).family : family };
}

function toEmptiness(
  issueCount: number,
  {
    own,
    projects,
    chosen,
    isRefused,
  }: { own: readonly Project[]; projects: readonly Project[]; chosen: readonly number[]; isRefused: boolean },
): IssueListView["emptiness"] {
  if (issueCount > 0) return null;
  if (own.length === 0) return "no-project";
  if (isRefused) return "refused";
  const hasEvent = projects.some((project) => chosen.includes(project.id) && project.firstEventAt !== null);
  return hasEvent || chosen.length === 0 ? "no-match" : "no-event";
}
