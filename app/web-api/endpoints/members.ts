import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { ROLES } from "../../domain/people/roles.ts";
import { hasRight } from "../../domain/scope.ts";
import { text } from "../../features/input/fields.ts";
import { changeMember, removeMember } from "../../features/people/change-member.server.ts";
import { changeTeam } from "../../features/people/change-team.server.ts";
import { inviteMember } from "../../features/people/invite-member.server.ts";
import { listMembers } from "../../features/people/list-members.server.ts";
import { listProjectPeople } from "../../features/people/list-project-people.server.ts";
import { answer, answerPage, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { loadNamed } from "../load-named.server.ts";
import { memberAnswer, serializeInvitation, serializeMember, serializeTeam, teamAnswer } from "../serialize-people.ts";

const role = z.enum(ROLES);
const teamRoles = z
  .array(z.object({ teamSlug: text(64) }))
  .max(200)
  .describe("the teams, by slug; a role within a team is ignored");
const newMember = z.object({
  email: text(254),
  orgRole: role.optional(),
  role: role.optional().describe("the same under its former name"),
  teamRoles: teamRoles.optional(),
  teams: z.array(text(64)).max(200).optional().describe("the same under its former name"),
  projects: z
    .array(text(64))
    .max(1_000)
    .optional()
    .describe("projects, by slug, that they see without a team; of this server alone"),
});
const memberChange = newMember.omit({ email: true });

const MEMBERS = "/organizations/{organization}/members/";
const MEMBER = `${MEMBERS}{member}/` as const;
const one: EndpointAnswer = { what: "The member, or the invitation", json: memberAnswer };
const all: EndpointAnswer = { what: "Members, by name, at most 1,000", json: z.array(memberAnswer) };

export const MEMBER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: MEMBERS,
    scopes: ["member:read"],
    summary: "Members of the organization. Who may invite sees open invitations after them, as `pending`.",
    query: z.object({ query: text(100).optional().describe("words of a name or an address") }),
    answers: { 200: all },
    async handle({ workspace, query, url, now }) {
      const { state, scope } = workspace;
      const filters = { text: query.query ?? "", role: null, team: "", isRemoved: false };
      const [{ members }, named] = await Promise.all([listMembers(workspace, filters), loadNamed(workspace)]);
      const isWhole = filters.text === "" && hasRight(scope, "member:write");
      const open = isWhole ? await state.invitations.listInvitations(scope, now) : [];
      const items = [
        ...members.map((member) => serializeMember(member, named)),
        ...open.map((invitation) => serializeInvitation(invitation, named)),
      ];
      return answerPage(url, items, { previousCursor: null, nextCursor: null });
    },
  }),
  endpoint({
    method: "POST",
    path: MEMBERS,
    scopes: ["member:write"],
    summary:
      "Invites somebody by mail. 409 when a member has the address. Without mail, hand over a link from the page of invitations.",
    body: { json: newMember },
    answers: { 201: one },
    async handle({ workspace, body, baseUrl, now }) {
      const invited = await inviteMember(
        workspace,
        {
          email: body.email,
          role: body.orgRole ?? body.role ?? "member",
          teamIds: (await readTeamIds(workspace, body)) ?? [],
          projectIds: (await readProjectIds(workspace, body)) ?? [],
        },
        { origin: baseUrl, now },
      );
      if (!invited.ok)
        throw refusal(
          invited.status,
          invited.field === null ? invited.message : `${invited.field}: ${invited.message}`,
        );
      return answer(serializeInvitation(invited.invitation, await loadNamed(workspace)), { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: MEMBER,
    scopes: ["member:read"],
    summary: "One member by number, `me`, or an open invitation by `i` and its number.",
    answers: { 200: one },
    async handle({ workspace, member }) {
      const named = await loadNamed(workspace);
      return answer(
        member.kind === "member"
          ? serializeMember(member.member, named)
          : serializeInvitation(member.invitation, named),
      );
    },
  }),
  endpoint({
    method: "PUT",
    path: MEMBER,
    scopes: ["member:write"],
    summary: "Changes the role, the teams and the chosen projects of a member. Fields that are not named stay.",
    body: { json: memberChange },
    answers: { 200: one },
    async handle({ workspace, member, body }) {
      if (member.kind !== "member")
        throw refusal(409, "An invitation cannot be changed. Remove it, and invite again with another role.");
      const wanted = body.orgRole ?? body.role;
      const [teamIds, projectIds] = [await readTeamIds(workspace, body), await readProjectIds(workspace, body)];
      const changed = await changeMember(workspace, {
        userId: member.member.userId,
        ...(wanted && { role: wanted }),
        ...(teamIds && { teamIds }),
        ...(projectIds && { projectIds }),
      });
      if (!changed.ok) throw refusal(changed.status, changed.message);
      return answer(serializeMember(changed.member, await loadNamed(workspace)));
    },
  }),
  endpoint({
    method: "DELETE",
    path: MEMBER,
    scopes: ["member:admin"],
    summary: "Removes a member, or revokes an invitation. The last owner stays.",
    answers: { 204: { what: "Removed", json: null } },
    async handle({ workspace, member, now }) {
      if (member.kind === "invitation") {
        const of = { invitationId: member.invitation.id, undoableBy: null, at: now };
        await workspace.state.invitations.revokeInvitation(workspace.scope, of);
        return nothing();
      }
      const removed = await removeMember(workspace, { userId: member.member.userId, now });
      if (!removed.ok) throw refusal(removed.status, removed.message);
      return nothing();
    },
  }),
  ...(["POST", "DELETE"] as const).map((method) =>
    endpoint({
      method,
      path: `${MEMBER}teams/{team}/`,
      scopes: ["team:write", "member:write"],
      summary: method === "POST" ? "Adds a member to a team." : "Takes a member out of a team.",
      answers: { [method === "POST" ? 201 : 200]: { what: "The team", json: teamAnswer } },
      async handle({ workspace, member, team }) {
        if (member.kind !== "member") throw refusal(409, "Somebody who was only invited is in no team yet.");
        const { userId } = member.member;
        const [add, remove] = method === "POST" ? [[userId], []] : [[], [userId]];
        const changed = await changeTeam(workspace, team, { memberIds: { add, remove } });
        if (!changed.ok) throw refusal(changed.status, changed.message);
        return answer(serializeTeam(changed.team, workspace.user?.id ?? null), {
          status: method === "POST" ? 201 : 200,
        });
      },
    }),
  ),
  endpoint({
    method: "GET",
    path: "/projects/{organization}/{project}/members/",
    scopes: ["member:read"],
    summary: "Members who see a project, whatever the way.",
    answers: { 200: all },
    async handle({ workspace, project, url }) {
      const { state, scope } = workspace;
      const [{ people }, members, named] = await Promise.all([
        listProjectPeople(workspace, project),
        state.members.listMembers(scope),
        loadNamed(workspace),
      ]);
      const seeing = new Set(people.map(({ userId }) => userId));
      const items = members.filter(({ userId }) => seeing.has(userId)).map((member) => serializeMember(member, named));
      return answerPage(url, items, { previousCursor: null, nextCursor: null });
    },
  }),
];

/** Undefined: the body names no projects. @throws a 400 answer that names the project that does not exist or that the caller does not see. */
async function readProjectIds(
  { state, scope }: Workspace,
  { projects: slugs }: { projects?: readonly string[] | undefined },
): Promise<number[] | undefined> {
  if (slugs === undefined) return undefined;
  const projects = await state.projects.listProjects(scope);
  return slugs.map((slug) => {
    const project = projects.find((each) => each.slug === slug);
    if (!project) throw refusal(400, `projects: there is no project "${slug}"`);
    return project.id;
  });
}

/** Undefined: the body names no teams. @throws a 400 answer that names the team that does not exist. */
async function readTeamIds(
  { state, scope }: Workspace,
  named: { teamRoles?: ReadonlyArray<{ teamSlug: string }> | undefined; teams?: readonly string[] | undefined },
): Promise<number[] | undefined> {
  const slugs = named.teamRoles?.map(({ teamSlug }) => teamSlug) ?? named.teams;
  if (slugs === undefined) return undefined;
  const teams = await state.members.listTeams(scope);
  return slugs.map((slug) => {
    const team = teams.find((each) => each.slug === slug);
    if (!team) throw refusal(400, `teamRoles: there is no team "${slug}"`);
    return team.id;
  });
}
