import { z } from "zod";
import { placeFields, repositoryName } from "../../features/repositories/repository-fields.ts";
import { parseNamedCursor } from "../../stores/state/named-cursor.ts";
import { MAX_REPOSITORIES } from "../../stores/state/repository-store.ts";
import { answer, answerPage, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { PAGING, requireCursor, toPlace } from "../query.ts";
import { repositoryAnswer, serializeRepository } from "../serialize-repository.ts";

const newRepository = z.object({ name: repositoryName, ...placeFields });
const repositoryChange = z.object({
  name: repositoryName.optional(),
  ...placeFields,
  status: z.enum(["active", "disabled", "hidden"]).optional().describe("`hidden` is `disabled`"),
});

const one: EndpointAnswer = { what: "The repository", json: repositoryAnswer };
const REPOSITORIES = "/organizations/{organization}/repos/";
const REPOSITORY = `${REPOSITORIES}{repository}/` as const;
const READ: Endpoint["scopes"] = ["org:read", "project:read", "project:releases"];
const WRITE: Endpoint["scopes"] = ["project:write"];

export const REPOSITORY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: REPOSITORIES,
    scopes: READ,
    summary: "Repositories that people added or builds have named, by name.",
    query: z.object({
      query: z.string().trim().optional().describe("Part of the name"),
      status: z.enum(["active", "disabled"]).default("active"),
      ...PAGING,
    }),
    answers: { 200: { what: "Repositories", json: z.array(repositoryAnswer) } },
    async handle({ workspace, query, url }) {
      const place = toPlace(query);
      requireCursor(place.cursor, parseNamedCursor);
      const page = await workspace.state.repositories.listRepositories({
        status: query.status,
        ...(query.query ? { text: query.query } : {}),
        ...place,
      });
      return answerPage(url, page.repositories.map(serializeRepository), page);
    },
  }),
  endpoint({
    method: "POST",
    path: REPOSITORIES,
    scopes: WRITE,
    summary: "Creates a repository. 409 when the name is taken.",
    body: { json: newRepository },
    answers: { 201: one },
    async handle({ workspace, body, now }) {
      const { name, provider = null, url = null } = body;
      const created = await workspace.state.repositories.createRepository({ name, provider, url, at: now });
      if (created.ok) return answer(serializeRepository(created.repository), { status: 201 });
      if (created.reason === "name-taken") throw nameTaken(name);
      throw refusal(409, `There are ${MAX_REPOSITORIES} repositories, and no more are kept.`);
    },
  }),
  endpoint({
    method: "GET",
    path: REPOSITORY,
    scopes: READ,
    summary: "One repository.",
    answers: { 200: one },
    handle: ({ repository }) => answer(serializeRepository(repository)),
  }),
  endpoint({
    method: "PUT",
    path: REPOSITORY,
    scopes: WRITE,
    summary: "Changes a repository. Tools do not see a disabled one.",
    body: { json: repositoryChange },
    answers: { 200: one },
    async handle({ workspace, repository, body: { name, provider, url, status } }) {
      const changed = await workspace.state.repositories.changeRepository(repository.id, {
        ...(name === undefined ? {} : { name }),
        ...(provider === undefined ? {} : { provider }),
        ...(url === undefined ? {} : { url }),
        ...(status === undefined ? {} : { status: status === "active" ? status : "disabled" }),
      });
      if (changed.ok) return answer(serializeRepository(changed.repository));
      if (changed.reason === "name-taken") throw nameTaken(name ?? repository.name);
      throw refusal(404, "The requested repository does not exist");
    },
  }),
  endpoint({
    method: "DELETE",
    path: REPOSITORY,
    scopes: WRITE,
    summary: "Deletes a repository; its commits stay. The next build that names it adds it again.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, repository }) {
      await workspace.state.repositories.deleteRepository(repository.id);
      return nothing();
    },
  }),
];

function nameTaken(name: string): Response {
  return refusal(409, `There is a repository ${name.slice(0, 60)} already.`);
}
