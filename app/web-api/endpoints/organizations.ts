import { z } from "zod";
import { answer } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { organizationAnswer, serializeOrganization } from "../serialize-project.ts";
import { id } from "../shapes.ts";

export const ORGANIZATION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/",
    scopes: "any-token",
    summary: "Whether this is the API, who the token belongs to, and what it may do.",
    answers: {
      200: {
        what: "The caller",
        json: z.object({
          version: z.literal("0"),
          auth: z.object({ scopes: z.array(z.string()) }).nullable(),
          user: z.object({ id, email: z.string(), username: z.string(), name: z.string() }).nullable(),
        }),
      },
    },
    handle({ caller: { user, scopes } }) {
      return answer({
        version: "0",
        auth: { scopes },
        user: user && { id: String(user.id), email: user.email, username: user.email, name: user.name },
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "The organization, as a list.",
    answers: { 200: { what: "Organizations", json: z.array(organizationAnswer) } },
    async handle({ engine }) {
      const organization = await engine.state.people.getOrganization();
      return answer(organization ? [serializeOrganization(organization)] : []);
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "The organization.",
    answers: { 200: { what: "The organization", json: organizationAnswer } },
    handle: ({ organization }) => answer(serializeOrganization(organization)),
  }),
];
