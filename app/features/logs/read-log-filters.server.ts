import type { Workspace } from "../../access/workspace.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { type ProjectSlugs, toProjectSlugs } from "../../domain/traces/name-service.ts";
import type { LogFilter } from "../../stores/events/logs.ts";
import { findLogFilter } from "./find-log-filter.server.ts";
import type { LogFilters } from "./log-filters.ts";

export interface ReadLogFilters {
  /** Matches nothing if the search is not understood. */
  lineFilter: Omit<LogFilter, "from" | "to"> & Required<Pick<LogFilter, "environments" | "where">>;
  /** The parts of the search that are not understood, with their positions. */
  errors: SearchError[];
  /** Sentences about results that may be missing. */
  problems: string[];
  /** The projects that the reader can choose from. */
  projects: Awaited<ReturnType<Workspace["state"]["projects"]["listProjects"]>>;
  /** The scope of the chosen projects. */
  scope: Scope;
  slugs: ProjectSlugs;
}

/** The lines that the filters of an address mean, whenever they arrived. `now`: milliseconds since 1970. */
export async function readLogFilters(
  workspace: Pick<Workspace, "state" | "scope" | "events">,
  { filters, now }: { filters: LogFilters; now: number },
): Promise<ReadLogFilters> {
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const bySlug = new Map(projects.map(({ slug, id }) => [slug, id]));
  const unknown = filters.projectSlugs.filter((slug) => !bySlug.has(slug));
  const chosen = filters.projectSlugs.flatMap((slug) => bySlug.get(slug) ?? []);
  const scope = filters.projectSlugs.length > 0 ? narrowScope(workspace.scope, chosen) : workspace.scope;
  const { where, errors, notes } = await findLogFilter(workspace, { search: filters.search, scope, now });
  const { projectIds } = errors.length > 0 ? narrowScope(scope, []) : scope;
  return {
    lineFilter: { projectIds, environments: filters.environments, where },
    errors,
    problems: [...unknown.map((slug) => `There is no project “${slug}”.`), ...notes],
    projects,
    scope,
    slugs: toProjectSlugs(projects),
  };
}
