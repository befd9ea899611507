import type { Project } from "../../domain/project.ts";
import type { EventStore } from "../../stores/event-store.ts";
import type { IssueListRow, IssueQuery, StateStore } from "../../stores/state-store.ts";
import { type Platform, toPlatform } from "../projects/platforms.ts";
import { type IssueFilters, readSearch, toTimeBounds, toTrendRange } from "./issue-filters.ts";

export const ISSUES_PER_PAGE = 25;

export interface IssueListStores {
  state: StateStore;
  events: Pick<EventStore, "listEnvironments">;
}

/** An issue as a row of the list shows it. */
export interface IssueListItem extends IssueListRow {
  project: { slug: string; family: Platform["family"] };
  trend: number[];
}

export interface IssueListView {
  issues: IssueListItem[];
  /** Every project, by name. */
  projects: Array<{ slug: string; name: string }>;
  environments: string[];
  /** Counted up to 1,000. */
  matchingCount: number;
  nextCursor: string | null;
  previousCursor: string | null;
  /** Sentences about what in the filters could not be used as it stands. */
  problems: string[];
  /** Why there is no issue: nothing has ever arrived (of the projects asked for), or nothing matches. Null: there are some. */
  emptiness: "no-project" | "no-event" | "no-match" | null;
  /** The first project that waits for its first event. */
  waitingProject: { slug: string; name: string } | null;
  /** When it was read; milliseconds since 1970. */
  readAt: number;
}

/** The issue list for these filters: one page of issues with their trends, and what the page's controls offer. */
export async function listIssues(
  { state, events }: IssueListStores,
  { filters, now }: { filters: IssueFilters; now: number },
): Promise<IssueListView> {
  const projects = await state.listProjects();
  const { query, problems } = toQuery(filters, projects, now);
  const chosen = query.projectIds ?? projects.map((project) => project.id);
  const [page, environments] = await Promise.all([
    chosen.length > 0
      ? state.listIssues(query)
      : { issues: [], matchingCount: 0, nextCursor: null, previousCursor: null },
    chosen.length > 0 ? events.listEnvironments(chosen) : [],
  ]);
  const trends = await state.listTrends(
    page.issues.map((issue) => issue.id),
    { ...toTrendRange(filters.trend, now), ...(query.environments ? { environments: query.environments } : {}) },
  );
  const byId = new Map(projects.map((project) => [project.id, project]));
  const own = projects.filter((project) => project.slug !== BUILT_IN_SLUG);
  const waiting = own.find((project) => project.firstEventAt === null && chosen.includes(project.id)) ?? null;
  return {
    issues: page.issues.map((issue) => ({
      ...issue,
      project: toProjectMark(byId.get(issue.projectId), issue.platform),
      trend: trends.get(issue.id) ?? [],
    })),
    projects: projects
      .map(({ slug, name }) => ({ slug, name }))
      .sort((one, other) => one.name.localeCompare(other.name, "en")),
    environments,
    matchingCount: page.matchingCount,
    nextCursor: page.nextCursor,
    previousCursor: page.previousCursor,
    problems,
    emptiness: toEmptiness(page.issues.length, own, projects, chosen),
    waitingProject: waiting && { slug: waiting.slug, name: waiting.name },
    readAt: now,
  };
}

/** All issues that match, up to 1,000, for an action on the whole of them. */
export async function listMatchingIssueIds(
  state: StateStore,
  { filters, now }: { filters: IssueFilters; now: number },
): Promise<number[]> {
  const projects = await state.listProjects();
  const { query } = toQuery(filters, projects, now);
  if (query.projectIds?.length === 0) return [];
  const ids: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await state.listIssues({ ...query, cursor, limit: 100 });
    ids.push(...page.issues.map((issue) => issue.id));
    cursor = page.nextCursor;
  } while (cursor && ids.length < MAX_MATCHING);
  return ids.slice(0, MAX_MATCHING);
}

/** As many as `matchingCount` counts. */
const MAX_MATCHING = 1_000;
/** Culprit's own project, which is there from the start. */
const BUILT_IN_SLUG = "culprit";

function toQuery(
  filters: IssueFilters,
  projects: readonly Project[],
  now: number,
): { query: IssueQuery; problems: string[] } {
  const { filter, problems } = readSearch(filters.search);
  const bySlug = new Map(projects.map((project) => [project.slug, project.id]));
  const unknown = filters.projectSlugs.filter((slug) => !bySlug.has(slug));
  const projectIds = filters.projectSlugs.flatMap((slug) => bySlug.get(slug) ?? []);
  return {
    query: {
      projectIds: filters.projectSlugs.length > 0 ? projectIds : null,
      ...(filters.environments.length > 0 ? { environments: filters.environments } : {}),
      ...toTimeBounds(filters.range, now),
      ...filter,
      sort: filters.sort,
      cursor: filters.cursor,
      limit: ISSUES_PER_PAGE,
    },
    problems: [...unknown.map((slug) => `There is no project “${slug}”.`), ...problems],
  };
}

/** The project's platform; where it has chosen none, that of the issue's events. */
function toProjectMark(project: Project | undefined, eventPlatform: string): IssueListItem["project"] {
  const { family } = toPlatform(project?.platform ?? "");
  return { slug: project?.slug ?? "", family: family === "other" ? toPlatform(eventPlatform).family : family };
}

function toEmptiness(
  issueCount: number,
  own: readonly Project[],
  projects: readonly Project[],
  chosen: readonly number[],
): IssueListView["emptiness"] {
  if (issueCount > 0) return null;
  if (own.length === 0) return "no-project";
  const hasEvent = projects.some((project) => chosen.includes(project.id) && project.firstEventAt !== null);
  return hasEvent || chosen.length === 0 ? "no-match" : "no-event";
}
