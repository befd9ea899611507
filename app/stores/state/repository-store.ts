import type { Repository } from "../../domain/repository.ts";

/** The number of repositories that are kept. Further ones that builds name are not stored; their commits keep the name. */
export const MAX_REPOSITORIES = 1_000;

/** Repositories of the organization: made by people, or noted when a build names one in `setCommits` or `setHeads`. */
export interface RepositoryStore {
  /** The repositories by name. `limit` at most 100; `cursor` opaque; `text`: case-insensitive part of the name. */
  listRepositories(query: {
    status?: Repository["status"];
    text?: string;
    cursor: string | null;
    limit: number;
  }): Promise<{ repositories: Repository[]; nextCursor: string | null; previousCursor: string | null }>;
  getRepository(repositoryId: number): Promise<Repository | null>;
  createRepository(
    input: Pick<Repository, "name" | "provider" | "url"> & { at: number },
  ): Promise<{ ok: true; repository: Repository } | { ok: false; reason: "name-taken" | "too-many" }>;
  /** Absent fields stay. Commits keep the name that they came with. */
  changeRepository(
    repositoryId: number,
    change: Partial<Pick<Repository, "name" | "provider" | "url" | "status">>,
  ): Promise<{ ok: true; repository: Repository } | { ok: false; reason: "name-taken" | "not-found" }>;
  /** Commits stay; a build that names it again makes it again. */
  deleteRepository(repositoryId: number): Promise<boolean>;
}
