import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { isRepositoryName, type Repository } from "../../../domain/repository.ts";
import { asFields } from "../../sql/columns.ts";
import { MAX_REPOSITORIES, type RepositoryStore } from "../../state/repository-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { takeNamedPage, toNamedPlaceSql } from "../named-pages.ts";

/** Columns for `FROM repositories AS r`. */
const REPOSITORY_COLUMNS = `
  ${asFields("r.id, r.name, r.provider, r.url, r.status, r.created_at")},
  (SELECT max(at) FROM release_commits WHERE repository = r.name) AS lastCommitAt`;

export function listRepositories(
  db: SqliteConnection,
  query: Parameters<RepositoryStore["listRepositories"]>[0],
): { repositories: Repository[]; nextCursor: string | null; previousCursor: string | null } {
  const conditions: string[] = [];
  const params: Record<string, string> = {};
  if (query.status !== undefined) {
    conditions.push("r.status = :status");
    params.status = query.status;
  }
  if (query.text !== undefined && query.text !== "") {
    conditions.push("instr(lower(r.name), :text) > 0");
    params.text = query.text.toLowerCase();
  }
  const { rows, ...cursors } = takeNamedPage(query, (place, count) => {
    const at = toNamedPlaceSql(place, { table: "repositories", alias: "r", column: "name" });
    return db.all<Repository>(
      `SELECT ${REPOSITORY_COLUMNS} FROM repositories AS r
       WHERE ${[at.condition, ...conditions].join(" AND ")} ORDER BY ${at.order} LIMIT :count`,
      { ...params, ...at.params, count },
    );
  });
  return { repositories: rows, ...cursors };
}

export function getRepository(db: SqliteConnection, repositoryId: number): Repository | null {
  const row = db.get<Repository>(`SELECT ${REPOSITORY_COLUMNS} FROM repositories AS r WHERE r.id = :repositoryId`, {
    repositoryId,
  });
  return row ?? null;
}

/** Within a write transaction. */
export function createRepository(
  db: SqliteConnection,
  { name, provider, url, at }: Parameters<RepositoryStore["createRepository"]>[0],
): Awaited<ReturnType<RepositoryStore["createRepository"]>> {
  if (isNameTaken(db, name, 0)) return { ok: false, reason: "name-taken" };
  if (countRepositories(db) >= MAX_REPOSITORIES) return { ok: false, reason: "too-many" };
  const { insertedId } = db.run(
    "INSERT INTO repositories (name, provider, url, created_at) VALUES (:name, :provider, :url, :at)",
    { name, provider, url, at: Math.floor(at) },
  );
  const repository = requireRepository(db, insertedId);
  db.note({ action: "repository.create", target: toTarget(repository), after: toFields(repository) });
  return { ok: true, repository };
}

/** Within a write transaction. */
export function changeRepository(
  db: SqliteConnection,
  repositoryId: number,
  change: Parameters<RepositoryStore["changeRepository"]>[1],
): Awaited<ReturnType<RepositoryStore["changeRepository"]>> {
  const known = getRepository(db, repositoryId);
  if (known === null) return { ok: false, reason: "not-found" };
  const { name, provider, url, status } = { ...known, ...change };
  if (isNameTaken(db, name, repositoryId)) return { ok: false, reason: "name-taken" };
  db.run(
    `UPDATE repositories SET name = :name, provider = :provider, url = :url, status = :status
     WHERE id = :repositoryId`,
    { repositoryId, name, provider, url, status },
  );
  const repository = requireRepository(db, repositoryId);
  db.note({
    action: "repository.edit",
    target: toTarget(known),
    before: toFields(known),
    after: toFields(repository),
  });
  return { ok: true, repository };
}

/** Within a write transaction. */
export function deleteRepository(db: SqliteConnection, repositoryId: number): boolean {
  const known = getRepository(db, repositoryId);
  if (known === null) return false;
  db.note({ action: "repository.delete", target: toTarget(known), before: toFields(known) });
  db.run("DELETE FROM repositories WHERE id = :repositoryId", { repositoryId });
  return true;
}

function toTarget({ id, name }: Repository) {
  return { kind: "repository", id, name };
}

/** The fields of a repository in the audit log. */
function toFields({ name, provider, url, status }: Repository): AuditFields {
  return { name, provider, url, status };
}

/**
 * Creates repositories that are not known yet, as long as there is room, within a write transaction. `namedAt`: when each name was first
 * used.
 */
export function noteRepositories(db: SqliteConnection, namedAt: ReadonlyMap<string, number>): void {
  for (const [name, at] of namedAt) {
    if (!isRepositoryName(name) || isNameTaken(db, name, 0)) continue;
    if (countRepositories(db) >= MAX_REPOSITORIES) return;
    db.run("INSERT INTO repositories (name, created_at) VALUES (:name, :at)", { name, at: Math.floor(at) });
  }
}

function isNameTaken(db: SqliteConnection, name: string, exceptId: number): boolean {
  return db.get("SELECT 1 FROM repositories WHERE name = :name AND id <> :exceptId", { name, exceptId }) !== undefined;
}

function countRepositories(db: SqliteConnection): number {
  return db.get<{ count: number }>("SELECT count(*) AS count FROM repositories")?.count ?? 0;
}

function requireRepository(db: SqliteConnection, repositoryId: number): Repository {
  const repository = getRepository(db, repositoryId);
  if (repository === null) throw new Error(`repository ${repositoryId} is gone`);
  return repository;
}
