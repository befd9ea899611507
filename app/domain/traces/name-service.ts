import { showTurns } from "./show-turns.ts";

/** Slugs by project id. */
export type ProjectSlugs = ReadonlyMap<number, string>;

export function toProjectSlugs(projects: ReadonlyArray<{ id: number; slug: string }>): ProjectSlugs {
  return new Map(projects.map(({ id, slug }) => [id, slug]));
}

/** A span or a log line that names no service, as those of Sentry's SDKs, is told by its project. Nothing in a name turns it round. */
export function nameService(
  { service, projectId }: { service: string | null; projectId: number },
  slugs: ProjectSlugs,
): string {
  return service ? showTurns(service) : (slugs.get(projectId) ?? `project ${projectId}`);
}
