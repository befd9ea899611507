import type { Repository } from "../../domain/repository.ts";
import { CODE_HOST_NAMES, CODE_HOSTS, type CodeHost } from "../../domain/source-link.ts";
import type { Engine } from "../../engine/engine.ts";
import { MAX_REPOSITORIES } from "../../stores/state/repository-store.ts";
import { toRepositoryUrl } from "../repositories/repository-url.ts";
import { linkHeader, readCursor, readLimit, refusal, toIso } from "./answers.server.ts";
import { newRepositoryBody, type RepositoryFields, repositoryChangeBody } from "./endpoints/repository-endpoints.ts";
import { readBody } from "./read-body.server.ts";

export function serializeRepository({ id, name, provider, url, status, createdAt }: Repository) {
  return {
    id: String(id),
    name,
    provider: provider
      ? { id: provider, name: provider === "other" ? "Other" : CODE_HOST_NAMES[provider] }
      : { id: "unknown", name: "Unknown Provider" },
    url,
    status,
    dateCreated: toIso(createdAt),
    externalSlug: name,
    externalId: null,
    integrationId: null,
  };
}

export async function listRepositoriesForApi({ state }: Engine, url: URL) {
  const status = url.searchParams.get("status") || "active";
  if (status !== "active" && status !== "disabled") throw refusal(400, "status must be active or disabled");
  const text = url.searchParams.get("query")?.trim();
  const page = await state.repositories.listRepositories({
    status,
    ...(text ? { text } : {}),
    cursor: readCursor(url),
    limit: readLimit(url),
  });
  return {
    repositories: page.repositories.map(serializeRepository),
    link: linkHeader(url, { previous: page.previousCursor, next: page.nextCursor }),
  };
}

/** By its number. @throws a 404 answer. */
export async function requireRepository({ state }: Engine, text: string): Promise<Repository> {
  const repository = /^\d{1,15}$/.test(text) ? await state.repositories.getRepository(Number(text)) : null;
  if (!repository) throw refusal(404, "The requested repository does not exist");
  return repository;
}

export async function createRepositoryFromApi({ state }: Engine, request: Request, now: number): Promise<Repository> {
  const { name, ...body } = await readBody(request, newRepositoryBody);
  const { provider = null, url = null } = readFields(body);
  const created = await state.repositories.createRepository({ name, provider, url, at: now });
  if (created.ok) return created.repository;
  if (created.reason === "name-taken") throw refusal(409, toTaken(name));
  throw refusal(409, `There are ${MAX_REPOSITORIES} repositories, and no more are kept.`);
}

export async function changeRepositoryFromApi(
  { state }: Engine,
  repository: Repository,
  request: Request,
): Promise<Repository> {
  const { name, status, ...body } = await readBody(request, repositoryChangeBody);
  const changed = await state.repositories.changeRepository(repository.id, {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status: status === "active" ? status : "disabled" }),
    ...readFields(body),
  });
  if (changed.ok) return changed.repository;
  if (changed.reason === "name-taken") throw refusal(409, toTaken(name ?? repository.name));
  throw refusal(404, "The requested repository does not exist");
}

/** What is absent stays absent. @throws a 400 answer that names the field. */
function readFields({ provider, url }: Pick<RepositoryFields, "provider" | "url">): {
  provider?: CodeHost | null;
  url?: string | null;
} {
  return {
    ...(provider === undefined ? {} : { provider: provider === null ? null : toProvider(provider) }),
    ...(url === undefined ? {} : { url: url === null || url === "" ? null : requireUrl(url) }),
  };
}

function toProvider(text: string): CodeHost {
  const provider = CODE_HOSTS.find((host) => host === text.toLowerCase().replace(/^integrations:/, ""));
  if (!provider) throw refusal(400, `provider: must be one of ${CODE_HOSTS.join(", ")}`);
  return provider;
}

function requireUrl(text: string): string {
  const url = toRepositoryUrl(text);
  if (url === null) throw refusal(400, "url: must be the address of the repository's page, with http:// or https://");
  return url;
}

function toTaken(name: string): string {
  return `There is a repository ${name.slice(0, 60)} already.`;
}
