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

/** The projects whose spans are shown. With a search, they include the server's own project. Null: there is no such project. */
export function pickProjects(
  workspace: Pick<Workspace, "monitoringProjectId">,
  { project: slug, search }: Pick<ExploreOptions, "project" | "search">,
  projects: readonly Project[],
): PickedProjects | null {
  if (slug === null) {
    const others = search === "" ? leaveOwnOut(workspace, projects) : null;
    return others ?? { projectIds: [], leftOut: null };
  }
  const project = projects.find((each) => each.slug === slug);
  return project === undefined ? null : { projectIds: [project.id], leftOut: null };
}
