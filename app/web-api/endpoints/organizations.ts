import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import type { User } from "../../domain/user.ts";
import { renameOrganization } from "../../features/people/rename-organization.server.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { PROJECTS, toProjectScope } from "../query.ts";
import { organizationAnswer, serializeOrganization } from "../serialize-project.ts";
import { id } from "../shapes.ts";

const userAnswer = z.object({ id, email: z.string(), username: z.string(), name: z.string() });

const environments: EndpointAnswer = {
  what: "Environments, those with the newest events first, at most 200",
  json: z.array(z.object({ id: z.string(), name: z.string(), isHidden: z.boolean() })),
};

export const ORGANIZATION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/",
    scopes: "any-token",
    summary: "The version, the owner of the token, and what it may do.",
    answers: {
      200: {
        what: "The caller",
        json: z.object({
          version: z.literal("0"),
          auth: z.object({ scopes: z.array(z.string()) }).nullable(),
          user: userAnswer.nullable(),
        }),
      },
    },
    handle({ caller: { user, scopes } }) {
      return answer({ version: "0", auth: { scopes }, user: user && serializeUser(user) });
    },
  }),
  endpoint({
    method: "GET",
    path: "/auth/",
    scopes: "any-token",
    summary: "The user that the token stands for. 403 for an organization's token, which stands for nobody.",
    answers: { 200: { what: "The user", json: userAnswer } },
    handle({ caller: { user } }) {
      return user
        ? answer(serializeUser(user))
        : refusal(403, "This token is the organization's, and stands for no user. A personal token does.");
    },
  }),
  endpoint({
    method: "GET",
    path: "/users/me/regions/",
    scopes: "any-token",
    summary: "Where the data is: this server alone. `sentry auth login` asks for it.",
    answers: {
      200: { what: "Regions", json: z.object({ regions: z.array(z.object({ name: z.string(), url: z.string() })) }) },
    },
    handle: ({ baseUrl }) => answer({ regions: [{ name: "default", url: baseUrl }] }),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "The organization, as a list.",
    answers: { 200: { what: "Organizations", json: z.array(organizationAnswer) } },
    handle: ({ workspace }) => answer([serializeOrganization(workspace.organization)]),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "The organization.",
    answers: { 200: { what: "The organization", json: organizationAnswer } },
    handle: ({ organization }) => answer(serializeOrganization(organization)),
  }),
  endpoint({
    method: "PUT",
    path: "/organizations/{organization}/",
    scopes: ["org:write"],
    summary: "Renames the organization. Its slug stays.",
    body: { json: z.object({ name: z.string() }) },
    answers: { 200: { what: "The organization", json: organizationAnswer } },
    async handle({ workspace, organization, body }) {
      const renamed = await renameOrganization(workspace, body.name);
      if (!renamed.ok) throw refusal(renamed.status, `name: ${renamed.message}`);
      return answer(serializeOrganization({ ...organization, name: renamed.name }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/environments/",
    scopes: ["org:read", "project:read", "event:read"],
    summary: "Environments that events have come from.",
    query: z.object(PROJECTS),
    answers: { 200: environments },
    handle: async ({ workspace, query }) => answerEnvironments(workspace, await toProjectScope(workspace, query)),
  }),
  endpoint({
    method: "GET",
    path: "/projects/{organization}/{project}/environments/",
    scopes: ["project:read", "event:read"],
    summary: "Environments that events of a project have come from.",
    answers: { 200: environments },
    handle: ({ workspace, project }) => answerEnvironments(workspace, narrowScope(workspace.scope, [project.id])),
  }),
];

async function answerEnvironments({ events }: Workspace, { projectIds }: Scope): Promise<Response> {
  const names = projectIds.length > 0 ? await events.listEnvironments(projectIds) : [];
  return answer(names.map((name) => ({ id: name, name, isHidden: false })));
}

function serializeUser({ id, email, name }: User): z.input<typeof userAnswer> {
  return { id: String(id), email, username: email, name };
}
