import type { Workspace } from "../access/workspace.ts";
import type { NamedAccess } from "./serialize-people.ts";

/** Loads the teams and projects that answers about people name. */
export async function loadNamed({ state, scope }: Workspace): Promise<NamedAccess> {
  const [teams, projects] = await Promise.all([state.members.listTeams(scope), state.projects.listProjects(scope)]);
  return { teams, projects };
}
