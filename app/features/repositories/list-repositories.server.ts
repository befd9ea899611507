import type { Workspace } from "../../access/workspace.ts";
import type { Repository } from "../../domain/repository.ts";
import type { CodeHost } from "../../domain/source-link.ts";
import { findRepositoryPage, readRepositoryUrl } from "./repository-url.ts";

export interface RepositoryItem extends Repository {
  /** The address of its page; null: unknown. */
  page: string | null;
}

/** A repository that links of a project name, and that is not in the list. */
export interface OfferedRepository {
  name: string;
  provider: CodeHost | null;
  projectName: string;
}

export interface RepositoriesView {
  repositories: RepositoryItem[];
  offers: OfferedRepository[];
  nextCursor: string | null;
  previousCursor: string | null;
}

export async function listRepositories(workspace: Workspace, cursor: string | null): Promise<RepositoriesView> {
  const { state, scope } = workspace;
  const [{ repositories, ...cursors }, projects] = await Promise.all([
    state.repositories.listRepositories({ cursor, limit: 100 }),
    state.projects.listProjects(scope),
  ]);
  const offers = new Map<string, OfferedRepository>();
  for (const { name: projectName, sourceLinks } of projects) {
    const read = sourceLinks?.repositoryUrl ? readRepositoryUrl(sourceLinks.repositoryUrl) : null;
    if (!read || offers.has(read.name)) continue;
    const known = await state.repositories.listRepositories({ text: read.name, cursor: null, limit: 100 });
    const isKnown = known.repositories.some(({ name }) => name.toLowerCase() === read.name.toLowerCase());
    if (!isKnown) offers.set(read.name, { ...read, projectName });
  }
  return {
    repositories: repositories.map((repository) => ({ ...repository, page: findRepositoryPage(repository) })),
    offers: [...offers.values()],
    ...cursors,
  };
}

/** Addresses of repositories, to suggest in a field. */
export async function listRepositoryPages(workspace: Workspace): Promise<string[]> {
  const { state } = workspace;
  const { repositories } = await state.repositories.listRepositories({ status: "active", cursor: null, limit: 100 });
  return repositories.flatMap((repository) => findRepositoryPage(repository) ?? []);
}
