import { z } from "zod";
import type { Endpoint, EndpointAnswer } from "../endpoint.ts";
import { id, instant } from "./shapes.ts";

const repository = z.object({
  id,
  name: z.string(),
  provider: z.object({ id: z.string(), name: z.string() }),
  url: z.string().nullable(),
  status: z.enum(["active", "disabled"]),
  dateCreated: instant,
  externalSlug: z.string(),
  externalId: z.null(),
  integrationId: z.null(),
});

const nameIn = z.string().trim().min(1).max(200);
const fields = {
  provider: z
    .string()
    .max(64)
    .nullish()
    .describe("`github`, `gitlab`, `gitea`, `bitbucket` or `other`; `integrations:` may stand before it"),
  url: z
    .string()
    .trim()
    .max(2000)
    .nullish()
    .describe("tools recognise their checkout by it, and then send its newest commit without a list"),
};

export const newRepositoryBody = z.object({ name: nameIn.describe("as tools name it: `owner/repo`"), ...fields });
export const repositoryChangeBody = z.object({
  name: nameIn.optional(),
  ...fields,
  status: z.enum(["active", "disabled", "hidden"]).optional().describe("`hidden` is `disabled`"),
});
export type RepositoryFields = z.output<typeof repositoryChangeBody>;

const one: EndpointAnswer = { what: "The repository", json: repository };
const path = "/organizations/{organization}/repos/";
const onePath = `${path}{repository}/`;
const read: Endpoint["scopes"] = ["org:read", "project:read", "project:releases"];
const write: Endpoint["scopes"] = ["project:write"];

export const REPOSITORY_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "GET",
    path,
    scopes: read,
    summary: "Repositories that people made or builds have named, by name.",
    query: {
      query: "Part of the name",
      status: "`active`, unless told otherwise, or `disabled`",
      per_page: "1 to 100",
      cursor: "From the `Link` header",
    },
    answers: { 200: { what: "Repositories", json: z.array(repository) } },
  },
  {
    method: "POST",
    path,
    scopes: write,
    summary: "Makes a repository. 409 when there is one of the name.",
    body: { json: newRepositoryBody },
    answers: { 201: one },
  },
  { method: "GET", path: onePath, scopes: read, summary: "One repository.", answers: { 200: one } },
  {
    method: "PUT",
    path: onePath,
    scopes: write,
    summary: "Changes a repository; a disabled one is not told to tools.",
    body: { json: repositoryChangeBody },
    answers: { 200: one },
  },
  {
    method: "DELETE",
    path: onePath,
    scopes: write,
    summary: "Deletes a repository; its commits stay. A build that names it again makes it again.",
    answers: { 204: { what: "Deleted", json: null } },
  },
];
