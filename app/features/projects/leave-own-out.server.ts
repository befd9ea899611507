import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";

/** All projects but the one that the server reports itself to. */
export interface WithoutOwn {
  projectIds: number[];
  /** Slug of the one that is left out. */
  leftOut: string;
}

/** For lists of all projects that nothing narrows: on a quiet server, its own jobs would be most of what they have. Null: none is left out. */
export function leaveOwnOut(
  { monitoringProjectId }: Pick<Workspace, "monitoringProjectId">,
  projects: readonly Project[],
): WithoutOwn | null {
  const own = projects.find(({ id }) => id === monitoringProjectId());
  if (own === undefined || projects.length === 1) return null;
  return { projectIds: projects.flatMap(({ id }) => (id === own.id ? [] : [id])), leftOut: own.slug };
}
