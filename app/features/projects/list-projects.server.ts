import type { Workspace } from "../../access/workspace.ts";
import { compareNames } from "../../domain/compare-names.ts";
import { BUILT_IN_SLUG, type Project } from "../../domain/project.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { ProjectListFilters } from "./project-list-filters.ts";

export const PROJECTS_PER_PAGE = 24;

export interface ProjectSummary {
  project: Project;
  /** Whether it is the project that Culprit itself reports to. */
  isOwn: boolean;
  /** Error events stored in each of the last 24 hours, oldest first. The last number is of the current hour. */
  hourlyEvents: number[];
  /** Unresolved issues with an event in the last 14 days, counted up to 1,000. */
  unresolvedCount: number;
}

export interface ProjectListView {
  summaries: ProjectSummary[];
  /** The number of matching projects, on all pages. */
  matchingCount: number;
  /** The number of all projects. */
  totalCount: number;
  /** The number of the shown page, from 1. If the address asks for a page after the last one, it is the last one. */
  page: number;
  pageCount: number;
}

/** One page of projects. In every order, the server's own project is the last: people look for theirs. */
export async function listProjectPage(
  workspace: Workspace,
  { filters, now }: { filters: ProjectListFilters; now: number },
): Promise<ProjectListView> {
  const { state, scope } = workspace;
  const to = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
  const from = to - DAY_MS;
  const stored = { from, to, outcomes: ["accepted" as const], categories: ["error", "default", "security", "finding"] };
  const [projects, sums] = await Promise.all([
    state.projects.listProjects(scope),
    state.outcomes.sumOutcomes(scope, { ...stored, bucketMs: null, groupBy: ["project"] }),
  ]);
  const eventCounts = new Map(sums.map(({ projectId = 0, quantity }) => [projectId, quantity]));
  const matching = sortProjects(
    projects.filter((project) => matches(project, filters.text)),
    filters.sort,
    eventCounts,
  );
  const pageCount = Math.max(1, Math.ceil(matching.length / PROJECTS_PER_PAGE));
  const page = Math.min(filters.page, pageCount);
  const shown = matching.slice((page - 1) * PROJECTS_PER_PAGE, page * PROJECTS_PER_PAGE);
  const series = new Map(shown.map(({ id }) => [id, new Array<number>(24).fill(0)]));
  const ofShown = narrowScope(scope, [...series.keys()]);
  for (const sum of await state.outcomes.sumOutcomes(ofShown, { ...stored, bucketMs: HOUR_MS, groupBy: ["project"] })) {
    const hours = series.get(sum.projectId ?? 0);
    const index = Math.floor((sum.at - from) / HOUR_MS);
    if (hours && index >= 0 && index < 24) hours[index] = (hours[index] ?? 0) + sum.quantity;
  }
  const summaries = await Promise.all(
    shown.map(async (project) => {
      const { matchingCount } = await state.issues.listIssues(narrowScope(scope, [project.id]), {
        from: now - 14 * DAY_MS,
        to: null,
        statuses: ["unresolved"],
        sort: "last_seen",
        cursor: null,
        limit: 1,
      });
      return {
        project,
        isOwn: isOwn(project),
        hourlyEvents: series.get(project.id) ?? [],
        unresolvedCount: matchingCount,
      };
    }),
  );
  return { summaries, matchingCount: matching.length, totalCount: projects.length, page, pageCount };
}

function isOwn({ slug }: Project): boolean {
  return slug === BUILT_IN_SLUG;
}

function matches({ name, slug }: Project, text: string): boolean {
  const wanted = text.toLowerCase();
  return name.toLowerCase().includes(wanted) || slug.includes(wanted);
}

function sortProjects(
  projects: Project[],
  sort: ProjectListFilters["sort"],
  eventCounts: ReadonlyMap<number, number>,
): Project[] {
  const byName = (one: Project, other: Project) => compareNames(one.name, other.name) || one.id - other.id;
  const compare = {
    name: byName,
    newest: (one: Project, other: Project) => other.id - one.id,
    events: (one: Project, other: Project) =>
      (eventCounts.get(other.id) ?? 0) - (eventCounts.get(one.id) ?? 0) || byName(one, other),
  }[sort];
  return projects.sort((one, other) => Number(isOwn(one)) - Number(isOwn(other)) || compare(one, other));
}
