import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Team } from "../../domain/people/team.ts";
import { hasRight } from "../../domain/scope.ts";
import { text } from "../../features/input/fields.ts";
import {
  type ChangeTeamResult,
  changeTeam,
  createTeam,
  deleteTeam,
  TEAM_NAME_MAX_LENGTH,
} from "../../features/people/change-team.server.ts";
import { createProject } from "../../features/projects/create-project.server.ts";
import { slugText } from "../../features/projects/project-form.ts";
import { toSlug } from "../../features/projects/project-slug.ts";
import { answer, answerPage, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { loadNamed } from "../load-named.server.ts";
import { projectWithTeams } from "../project-teams.server.ts";
import { memberAnswer, serializeMember, serializeTeam, teamAnswer } from "../serialize-people.ts";
import { projectAnswer, serializeProject } from "../serialize-project.ts";

const name = text(TEAM_NAME_MAX_LENGTH);
const newTeam = z.object({ name: name.optional(), slug: slugText.optional() });
const newProject = z.object({ name: text(64), slug: slugText.nullish(), platform: text(64).nullish() });

const TEAMS = "/organizations/{organization}/teams/";
const TEAM = "/teams/{organization}/{team}/";
const PROJECT_TEAM = "/projects/{organization}/{project}/teams/{team}/";
const one: EndpointAnswer = { what: "The team", json: teamAnswer };
const all: EndpointAnswer = { what: "Teams, by name, at most 200", json: z.array(teamAnswer) };
const onePage = { previousCursor: null, nextCursor: null };

export const TEAM_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: TEAMS,
    scopes: ["team:read", "org:read", "project:read"],
    summary: "Teams. Without team:read, those that the caller is in.",
    answers: { 200: all },
    handle: async ({ workspace, url }) => answerTeams(workspace, url, await listSeenTeams(workspace)),
  }),
  endpoint({
    method: "POST",
    path: TEAMS,
    scopes: ["team:write"],
    summary: "Makes a team. 409 when the slug is taken.",
    body: { json: newTeam },
    answers: { 201: one },
    async handle({ workspace, body, now }) {
      const title = body.name ?? body.slug;
      if (title === undefined) throw refusal(400, "name: is required, or a slug");
      const made = await createTeam(workspace, { name: title, ...(body.slug && { slug: body.slug }), now });
      return answer(serializeTeam(requireTeam(made), workspace.user?.id ?? null), { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: TEAM,
    scopes: ["team:read"],
    summary: "One team, by slug or number.",
    answers: { 200: one },
    handle: ({ workspace, team }) => answer(serializeTeam(team, workspace.user?.id ?? null)),
  }),
  endpoint({
    method: "PUT",
    path: TEAM,
    scopes: ["team:write"],
    summary: "Renames a team.",
    body: { json: newTeam },
    answers: { 200: one },
    async handle({ workspace, team, body }) {
      const changed = await changeTeam(workspace, team, {
        ...(body.name && { name: body.name }),
        ...(body.slug && { slug: body.slug }),
      });
      return answer(serializeTeam(requireTeam(changed), workspace.user?.id ?? null));
    },
  }),
  endpoint({
    method: "DELETE",
    path: TEAM,
    scopes: ["team:write"],
    summary: "Deletes a team. Its members lose the projects that they saw through it alone.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, team, now }) {
      requireTeam(await deleteTeam(workspace, team, now));
      return nothing();
    },
  }),
  endpoint({
    method: "GET",
    path: `${TEAM}members/`,
    scopes: ["team:read"],
    summary: "Members of a team.",
    answers: { 200: { what: "Members, by name", json: z.array(memberAnswer) } },
    async handle({ workspace, team, url }) {
      const { state, scope } = workspace;
      const [members, named] = await Promise.all([state.members.listMembers(scope), loadNamed(workspace)]);
      const own = members.filter(({ userId }) => team.memberIds.includes(userId));
      return answerPage(
        url,
        own.map((member) => serializeMember(member, named)),
        onePage,
      );
    },
  }),
  endpoint({
    method: "GET",
    path: `${TEAM}projects/`,
    scopes: ["project:read"],
    summary: "Projects of a team, of those that the caller sees.",
    answers: { 200: { what: "Projects", json: z.array(projectAnswer) } },
    async handle({ workspace, organization, team, url }) {
      const projects = await workspace.state.projects.listProjects(workspace.scope);
      const serialize = await projectWithTeams(workspace, organization);
      const own = projects.filter(({ id }) => team.hasAllProjects || team.projectIds.includes(id));
      return answerPage(url, own.map(serialize), onePage);
    },
  }),
  endpoint({
    method: "POST",
    path: `${TEAM}projects/`,
    scopes: ["project:write"],
    summary: "Creates a project that a team sees. 409 when the slug is taken.",
    body: { json: newProject },
    answers: { 201: { what: "The project", json: projectAnswer } },
    async handle({ workspace, organization, team, body, now }) {
      const slug = body.slug ?? toSlug(body.name);
      if (slug === null) throw refusal(400, "slug: is required, because the name has no letters to make one of");
      const created = await createProject(workspace, {
        name: body.name,
        slug,
        platform: body.platform ?? "other",
        teamSlug: team.slug,
        at: now,
      });
      if (!created.ok) throw refusal(created.field === "team" ? 403 : created.status, created.message);
      // The scope of the workspace is older than the project, and does not have it yet.
      return answer(serializeProject(created.project, organization, [team]), { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: "/projects/{organization}/{project}/teams/",
    scopes: ["team:read", "org:read", "project:read"],
    summary: "Teams that have a project. Without team:read, those that the caller is in.",
    answers: { 200: all },
    async handle({ workspace, project, url }) {
      const teams = await listSeenTeams(workspace);
      const having = teams.filter(
        ({ hasAllProjects, projectIds }) => hasAllProjects || projectIds.includes(project.id),
      );
      return answerTeams(workspace, url, having);
    },
  }),
  ...(["POST", "DELETE"] as const).map((method) =>
    endpoint({
      method,
      path: PROJECT_TEAM,
      scopes: ["team:write"],
      summary: method === "POST" ? "Gives a project to a team." : "Takes a project from a team.",
      answers: { [method === "POST" ? 201 : 200]: { what: "The project", json: projectAnswer } },
      async handle({ workspace, organization, project, team }) {
        if (method === "DELETE" && team.hasAllProjects)
          throw refusal(409, `The team ${team.slug} has every project, so none can be taken from it.`);
        const [add, remove] = method === "POST" ? [[project.id], []] : [[], [project.id]];
        requireTeam(await changeTeam(workspace, team, { projectIds: { add, remove } }));
        const serialize = await projectWithTeams(workspace, organization);
        return answer(serialize(project), { status: method === "POST" ? 201 : 200 });
      },
    }),
  ),
];

async function listSeenTeams({ state, scope, user }: Workspace): Promise<Team[]> {
  const teams = await state.members.listTeams(scope);
  return hasRight(scope, "team:read") ? teams : teams.filter(({ memberIds }) => user && memberIds.includes(user.id));
}

function answerTeams({ user }: Workspace, url: URL, teams: readonly Team[]): Response {
  return answerPage(
    url,
    teams.map((team) => serializeTeam(team, user?.id ?? null)),
    onePage,
  );
}

/** @throws the refusal as an answer. */
function requireTeam(result: ChangeTeamResult): Team {
  if (result.ok) return result.team;
  throw refusal(result.status, result.field === null ? result.message : `${result.field}: ${result.message}`);
}
