import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";

/** The places to which the page is narrowed, and those to choose from. */
export interface PerformanceScope {
  scope: Scope;
  projects: Project[];
  /** Sentences about projects that do not exist. */
  problems: string[];
}

export async function findPerformanceScope(
  { state, scope }: Workspace,
  slugs: readonly string[],
): Promise<PerformanceScope> {
  const projects = await state.projects.listProjects(scope);
  const bySlug = new Map(projects.map(({ slug, id }) => [slug, id]));
  const chosen = slugs.flatMap((slug) => bySlug.get(slug) ?? []);
  return {
    scope: slugs.length > 0 ? narrowScope(scope, chosen) : scope,
    projects,
    problems: slugs.filter((slug) => !bySlug.has(slug)).map((slug) => `There is no project “${slug}”.`),
  };
}
