import type { Workspace } from "../../access/workspace.ts";
import { type AccessPath, findPaths } from "../../domain/people/access.ts";
import type { Member } from "../../domain/people/member.ts";
import type { Team } from "../../domain/people/team.ts";
import { hasRight } from "../../domain/scope.ts";
import { sayNoPath, sayPath } from "./access-words.ts";

export interface MemberPage {
  member: Member;
  isSelf: boolean;
  /** Every team and every project of the viewer's scope, as choices. */
  teams: Array<{ id: number; name: string }>;
  projects: Array<{ id: number; slug: string; name: string }>;
  /** For each project of the viewer's scope: a sentence for each way in which the member sees it, or a sentence why not. */
  reasons: Array<{ slug: string; name: string; isSeen: boolean; sentences: string[] }>;
  mayChange: boolean;
  isOwner: boolean;
}

/** Null: there is no such member. */
export async function getMemberPage(workspace: Workspace, userId: number): Promise<MemberPage | null> {
  const { state, scope, user } = workspace;
  const member = await state.members.getMember(scope, userId);
  if (!member) return null;
  const [teams, projects] = await Promise.all([state.members.listTeams(scope), state.projects.listProjects(scope)]);
  const reasons = projects.map(({ id, slug, name }) => {
    const paths = findMemberPaths(member, teams, id);
    const words = { who: member.name, project: name, providers: member.providers };
    const sentences = paths.length > 0 ? paths.map((path) => sayPath(path, words)) : [sayNoPath(words)];
    return { slug, name, isSeen: paths.length > 0, sentences };
  });
  return {
    member,
    isSelf: member.userId === user?.id,
    teams: teams.map(({ id, name }) => ({ id, name })),
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    reasons: reasons.toSorted((a, b) => Number(b.isSeen) - Number(a.isSeen)),
    mayChange: hasRight(scope, "member:write") && member.removedAt === null,
    isOwner: user?.role === "owner",
  };
}

/** The ways in which a member sees a project, by the rule that also makes the member's scope. A removed member sees nothing. */
export function findMemberPaths(member: Member, teams: readonly Team[], projectId: number): AccessPath[] {
  if (member.removedAt !== null) return [];
  const { role, projectIds } = member;
  return findPaths({ role, projectIds, teams: teams.filter(({ id }) => member.teamIds.includes(id)) }, projectId);
}
