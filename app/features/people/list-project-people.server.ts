import type { Workspace } from "../../access/workspace.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { Project } from "../../domain/project.ts";
import { hasRight } from "../../domain/scope.ts";
import { sayPath } from "./access-words.ts";
import { findMemberPaths } from "./get-member.server.ts";

export interface ProjectPeople {
  people: Array<{ userId: number; name: string; email: string; role: Role; sentences: string[] }>;
  teams: Array<{ slug: string; name: string; memberCount: number }>;
  mayChange: boolean;
}

/** The people who see a project, and why. */
export async function listProjectPeople(
  { state, scope }: Workspace,
  project: Pick<Project, "id" | "name">,
): Promise<ProjectPeople> {
  const [members, teams] = await Promise.all([state.members.listMembers(scope), state.members.listTeams(scope)]);
  return {
    people: members.flatMap((member) => {
      const paths = findMemberPaths(member, teams, project.id);
      if (paths.length === 0) return [];
      const { userId, name, email, role, providers } = member;
      const words = { who: name, project: project.name, providers };
      return [{ userId, name, email, role, sentences: paths.map((path) => sayPath(path, words)) }];
    }),
    teams: teams
      .filter(({ hasAllProjects, projectIds }) => hasAllProjects || projectIds.includes(project.id))
      .map(({ slug, name, memberIds }) => ({ slug, name, memberCount: memberIds.length })),
    mayChange: hasRight(scope, "member:write"),
  };
}
