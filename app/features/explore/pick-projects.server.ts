import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { leaveOwnOut } from "../projects/leave-own-out.server.ts";
import type { ExploreOptions } from "./explore-options.ts";

export interface PickedProjects {
  /** Empty: all. */
  projectIds: readonly number[];
  /** Slug of the project that the server reports itself to, if its spans are left out; null: they are not. */
  leftOut: string | null;
}

/** Whose spans are shown. A search finds those of the server itself, too. Null: there is no such project. */
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
