import type { Workspace } from "../../access/workspace.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { type ProjectSlugs, toProjectSlugs } from "../../domain/traces/name-service.ts";
import type { LogFilter } from "../../stores/events/logs.ts";
import { findLogFilter } from "./find-log-filter.server.ts";
import type { LogFilters } from "./log-filters.ts";

export interface ReadLogFilters {
  /** Nothing matches where the search is not understood. */
  lineFilter: Omit<LogFilter, "from" | "to"> & Required<Pick<LogFilter, "environments" | "where">>;
  /** What of the search is not understood, and where. */
  errors: SearchError[];
  /** Sentences about what may be missing. */
  problems: string[];
  /** Those that somebody may choose. */
  projects: Awaited<ReturnType<Workspace["state"]["projects"]["listProjects"]>>;
  /** The chosen projects. */
  scope: Scope;
  slugs: ProjectSlugs;
}

/** Which lines the filters of an address mean, whenever they came. `now`: milliseconds since 1970. */
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
