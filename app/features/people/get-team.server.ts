import type { Workspace } from "../../access/workspace.ts";
import type { Team } from "../../domain/people/team.ts";
import { hasRight } from "../../domain/scope.ts";
import { mayChangeTeam } from "./change-team.server.ts";
import { describeRota, type RotaView } from "./describe-rota.server.ts";
import type { TeamChoices } from "./team-forms.tsx";

export interface TeamPage {
  team: Team;
  choices: TeamChoices;
  mayChange: boolean;
  /** Null: the team has no rota. */
  rota: RotaView | null;
}

/** Null: there is no such team. */
export async function getTeamPage(
  workspace: Workspace,
  { slug, now }: { slug: string; now: number },
): Promise<TeamPage | null> {
  const { state, scope } = workspace;
  const team = await state.members.getTeam(scope, slug);
  if (!team) return null;
  const [members, projects] = await Promise.all([state.members.listMembers(scope), state.projects.listProjects(scope)]);
  return {
    team,
    choices: {
      members: members.map(({ userId, name, email }) => ({ userId, name, email })),
      projects: projects.map(({ id, name }) => ({ id, name })),
      mayTakeAll: hasRight(scope, "team:admin"),
    },
    mayChange: mayChangeTeam(workspace, team),
    rota: describeRota(team, { members, now }),
  };
}
