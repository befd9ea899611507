import { showTurns } from "./show-turns.ts";

/** Slugs by project id. */
export type ProjectSlugs = ReadonlyMap<number, string>;

export function toProjectSlugs(projects: ReadonlyArray<{ id: number; slug: string }>): ProjectSlugs {
  return new Map(projects.map(({ id, slug }) => [id, slug]));
}

/**
 * The name of the service of a span or a log line. If it names no service, as with Sentry's SDKs, it is the slug of its project.
 * Characters that change the direction of text are made visible.
 */
export function nameService(
  { service, projectId }: { service: string | null; projectId: number },
  slugs: ProjectSlugs,
): string {
  return service ? showTurns(service) : nameUnnamed(projectId, slugs);
}

/** The name of a service that names none. */
export function nameUnnamed(projectId: number, slugs: ProjectSlugs): string {
  return slugs.get(projectId) ?? `project ${projectId}`;
}
