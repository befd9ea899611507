import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { leaveOwnOut } from "../projects/leave-own-out.server.ts";
import type { ExploreOptions } from "./explore-options.ts";

export interface PickedProjects {
  /** Empty: all projects. */
  projectIds: readonly number[];
  /** The slug of the project that the server itself reports to, if its spans are left out. Null: they are not. */
  leftOut: string | null;
}

/** The projects whose spans are shown. With a search, they include the server's own project. Null: none of the chosen ones exists. */
export function pickProjects(
  workspace: Pick<Workspace, "monitoringProjectId">,
  { projectSlugs, search }: Pick<ExploreOptions, "projectSlugs" | "search">,
  projects: readonly Project[],
): PickedProjects | null {
  if (projectSlugs.length === 0) {
    const others = search === "" ? leaveOwnOut(workspace, projects) : null;
    return others ?? { projectIds: [], leftOut: null };
  }
  const projectIds = projects.filter(({ slug }) => projectSlugs.includes(slug)).map(({ id }) => id);
  return projectIds.length === 0 ? null : { projectIds, leftOut: null };
}
