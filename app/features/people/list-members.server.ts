import type { Workspace } from "../../access/workspace.ts";
import type { Member } from "../../domain/people/member.ts";
import { isRole, type Role } from "../../domain/people/roles.ts";
import { hasRight } from "../../domain/scope.ts";

export interface MemberFilters {
  text: string;
  role: Role | null;
  /** The slug of a team. */
  team: string;
  /** Lists removed members instead of present ones. */
  isRemoved: boolean;
}

export interface MemberItem extends Member {
  teams: Array<{ slug: string; name: string }>;
  isSelf: boolean;
}

export interface MemberList {
  members: MemberItem[];
  totalCount: number;
  removedCount: number;
  teams: Array<{ id: number; slug: string; name: string }>;
  mayChange: boolean;
  isOwner: boolean;
}

export function parseMemberFilters(params: URLSearchParams): MemberFilters {
  const role = params.get("role");
  return {
    text: (params.get("q") ?? "").trim().slice(0, 100),
    role: isRole(role) ? role : null,
    team: params.get("team") ?? "",
    isRemoved: params.get("show") === "removed",
  };
}

/** Members of the organization that match the filters. */
export async function listMembers(workspace: Workspace, filters: MemberFilters): Promise<MemberList> {
  const { state, scope, user } = workspace;
  const [all, teams] = await Promise.all([
    state.members.listMembers(scope, { withRemoved: true }),
    state.members.listTeams(scope),
  ]);
  const words = filters.text.toLowerCase().split(/\s+/);
  const team = teams.find(({ slug }) => slug === filters.team);
  const there = all.filter(({ removedAt }) => (removedAt !== null) === filters.isRemoved);
  const members = there.filter(
    ({ name, email, role, teamIds }) =>
      words.every((word) => `${name} ${email}`.toLowerCase().includes(word)) &&
      (filters.role === null || role === filters.role) &&
      (filters.team === "" || (team !== undefined && teamIds.includes(team.id))),
  );
  return {
    members: members.map((member) => ({
      ...member,
      teams: teams.filter(({ id }) => member.teamIds.includes(id)).map(({ slug, name }) => ({ slug, name })),
      isSelf: member.userId === user?.id,
    })),
    totalCount: there.length,
    removedCount: all.filter(({ removedAt }) => removedAt !== null).length,
    teams: teams.map(({ id, slug, name }) => ({ id, slug, name })),
    mayChange: hasRight(scope, "member:write"),
    isOwner: user?.role === "owner",
  };
}
