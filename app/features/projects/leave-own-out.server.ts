import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";

/** All projects but the one that the server itself reports to. */
export interface WithoutOwn {
  projectIds: number[];
  /** The slug of the project that is left out. */
  leftOut: string;
}

/**
 * Leaves the server's own project out of lists of all projects without a filter: on a quiet server, its own jobs would be most of
 * their content. Null: no project is left out.
 */
export function leaveOwnOut(
  { monitoringProjectId }: Pick<Workspace, "monitoringProjectId">,
  projects: readonly Project[],
): WithoutOwn | null {
  const own = projects.find(({ id }) => id === monitoringProjectId());
  if (own === undefined || projects.length === 1) return null;
  return { projectIds: projects.flatMap(({ id }) => (id === own.id ? [] : [id])), leftOut: own.slug };
}
