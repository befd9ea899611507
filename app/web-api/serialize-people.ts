import { z } from "zod";
import type { Invitation } from "../domain/people/invitation.ts";
import type { Member } from "../domain/people/member.ts";
import { ROLES, type Role } from "../domain/people/roles.ts";
import type { Team } from "../domain/people/team.ts";
import type { Project } from "../domain/project.ts";
import { ROLE_WORDS } from "../features/people/access-words.ts";
import { toIso } from "./answers.ts";
import { id, instant } from "./shapes.ts";

export const teamBrief = z.object({ id, slug: z.string(), name: z.string() });

export const teamAnswer = z.object({
  ...teamBrief.shape,
  dateCreated: instant,
  isMember: z.boolean(),
  memberCount: z.int(),
  hasAllProjects: z.boolean().describe("every project, also those that come later; of this server alone"),
  teamRole: z.null(),
  isPending: z.boolean(),
  hasAccess: z.boolean(),
  avatar: z.object({ avatarType: z.string(), avatarUuid: z.null() }),
});

export const memberAnswer = z.object({
  id: z.string().describe("the number of a member; `i` and a number of an invitation"),
  email: z.string(),
  name: z.string(),
  user: z.object({ id, email: z.string(), username: z.string(), name: z.string(), has2fa: z.boolean() }).nullable(),
  role: z.enum(ROLES),
  orgRole: z.enum(ROLES),
  roleName: z.string(),
  pending: z.boolean(),
  expired: z.boolean(),
  inviteStatus: z.literal("approved"),
  inviterName: z.string().nullable(),
  dateCreated: instant,
  flags: z.record(z.string(), z.boolean()),
  teams: z.array(z.string()),
  teamRoles: z.array(z.object({ teamSlug: z.string(), role: z.null() })),
  projects: z
    .array(z.string())
    .describe("projects that they were given without a team, as far as who asks sees them; of this server alone"),
});

/** Teams and projects that answers name by slug. */
export interface NamedAccess {
  teams: readonly Team[];
  projects: ReadonlyArray<Pick<Project, "id" | "slug">>;
}

export function serializeTeamBrief({ id, slug, name }: Pick<Team, "id" | "slug" | "name">): z.input<typeof teamBrief> {
  return { id: String(id), slug, name };
}

/** `userId`: the user who asks. Null: the caller is no person. */
export function serializeTeam(team: Team, userId: number | null): z.input<typeof teamAnswer> {
  const isMember = userId !== null && team.memberIds.includes(userId);
  return {
    ...serializeTeamBrief(team),
    dateCreated: toIso(team.createdAt),
    isMember,
    memberCount: team.memberIds.length,
    hasAllProjects: team.hasAllProjects,
    teamRole: null,
    isPending: false,
    hasAccess: true,
    avatar: { avatarType: "letter_avatar", avatarUuid: null },
  };
}

export function serializeMember(member: Member, named: NamedAccess): z.input<typeof memberAnswer> {
  const { userId, email, name, joinedAt, hasSecondFactor } = member;
  return {
    id: String(userId),
    email,
    name,
    user: { id: String(userId), email, username: email, name, has2fa: hasSecondFactor },
    ...serializeRole(member.role),
    pending: false,
    inviterName: null,
    dateCreated: toIso(joinedAt),
    ...serializeAccess(member, named),
  };
}

/** A person who was invited and has not joined yet. Without an address, anybody who has the link may join. */
export function serializeInvitation(invitation: Invitation, named: NamedAccess): z.input<typeof memberAnswer> {
  const email = invitation.email ?? "";
  return {
    id: `i${invitation.id}`,
    email,
    name: email,
    user: null,
    ...serializeRole(invitation.role),
    pending: true,
    inviterName: invitation.invitedBy,
    dateCreated: toIso(invitation.createdAt),
    ...serializeAccess(invitation, named),
  };
}

function serializeRole(role: Role) {
  return {
    role,
    orgRole: role,
    roleName: ROLE_WORDS[role].label,
    expired: false,
    inviteStatus: "approved" as const,
    flags: { "sso:linked": false, "sso:invalid": false },
  };
}

function serializeAccess(
  { teamIds, projectIds }: Pick<Member, "teamIds" | "projectIds">,
  { teams, projects }: NamedAccess,
) {
  const slugs = teams.filter(({ id }) => teamIds.includes(id)).map(({ slug }) => slug);
  return {
    teams: slugs,
    teamRoles: slugs.map((teamSlug) => ({ teamSlug, role: null })),
    projects: projects.filter(({ id }) => projectIds.includes(id)).map(({ slug }) => slug),
  };
}
