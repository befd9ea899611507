import type { AccessPath } from "../../domain/people/access.ts";
import type { MemberProvider } from "../../domain/people/member.ts";
import { type Role, seesEveryProject } from "../../domain/people/roles.ts";

/** The name of each role, and what it may do. */
export const ROLE_WORDS: Readonly<Record<Role, { label: string; may: string }>> = {
  owner: { label: "Owner", may: "Sees every project, may do everything, makes other owners and deletes projects." },
  manager: { label: "Manager", may: "Sees every project, and changes members, teams, tokens and all settings." },
  admin: { label: "Admin", may: "Changes settings of projects, and makes projects and teams." },
  member: { label: "Member", may: "Reads, resolves, archives and deletes issues, and uploads releases." },
  viewer: { label: "Viewer", may: "Reads issues, events and projects, and changes nothing." },
};

/** What a role may do, as a sentence for readers who know no roles. */
export function sayRole(role: Role): string {
  const who = withArticle(role);
  const { may } = ROLE_WORDS[role];
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${may.charAt(0).toLowerCase()}${may.slice(1)}`;
}

/** What a role may do and which projects it sees, for forms that choose both. */
export function sayReach(role: Role): string {
  const { may } = ROLE_WORDS[role];
  return seesEveryProject(role) ? may : `${may} Sees the projects of their teams, and those that are chosen below.`;
}

/** Why a person sees a project, as one sentence. */
export function sayPath(
  path: AccessPath,
  { who, project, providers }: { who: string; project: string; providers: readonly MemberProvider[] },
): string {
  const giver =
    "team" in path ? providers.find(({ givenTeamIds }) => givenTeamIds.includes(path.team.id))?.name : undefined;
  const putThere = giver === undefined ? "" : ` A rule of ${giver} put them there.`;
  switch (path.kind) {
    case "role":
      return `${who} is ${withArticle(path.role)}, and ${path.role}s see every project.`;
    case "team":
      return `${who} is in the team ${path.team.name}, which has ${project}.${putThere}`;
    case "every-project":
      return `${who} is in the team ${path.team.name}, which has every project.${putThere}`;
    case "given":
      return `${who} was given ${project} by name.`;
  }
}

/** Why a person does not see a project, as one sentence. */
export function sayNoPath({ who, project }: { who: string; project: string }): string {
  return `${who} does not see ${project}: it is in none of their teams, and nobody gave it to them by name.`;
}

export function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
