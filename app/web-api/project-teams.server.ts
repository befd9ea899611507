import type { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Project } from "../domain/project.ts";
import { hasRight } from "../domain/scope.ts";
import type { Organization } from "../stores/state/people-store.ts";
import { type projectAnswer, serializeProject } from "./serialize-project.ts";

/** Returns a function that serializes a project with the teams that have it. A caller without team:read sees only their own teams. */
export async function projectWithTeams(
  { state, scope, user }: Workspace,
  organization: Organization,
): Promise<(project: Project) => z.input<typeof projectAnswer>> {
  const teams = await state.members.listTeams(scope);
  const seen = hasRight(scope, "team:read")
    ? teams
    : teams.filter(({ memberIds }) => user && memberIds.includes(user.id));
  return (project) =>
    serializeProject(
      project,
      organization,
      seen.filter(({ hasAllProjects, projectIds }) => hasAllProjects || projectIds.includes(project.id)),
    );
}
