import type { Commit } from "../../../domain/release.ts";
import type { OrderedRelease } from "../../../domain/releases/release-order.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { settleWaiting } from "../issues/resolutions.ts";
import { findPreviousReleases, findScopedRelease } from "./release-order.ts";
import { noteRepositories } from "./repositories.ts";

const MAX_KEPT_COMMITS = 10_000;
const MAX_KEPT_FILES = 1_000;
/** The limit for all commits of a release together: writing them takes about a fifth of a second, and blocks other writers. */
const MAX_KEPT_FILES_OF_RELEASE = 50_000;
const MAX_LISTED = 1_000;
const MAX_AUTHORS = 10;

/** `files`: JSON array of objects with path and change. */
export type CommitRow = RowOf<Commit, { files: string }> & { hasFiles: number };

/** Columns for `FROM release_commits AS c`. */
export const COMMIT_COLUMNS = `c.commit_id AS id,
  ${asFields("c.repository, c.author_name, c.author_email, c.at, c.message, c.has_files")},
  (SELECT json_group_array(json_object('path', path, 'change', change) ORDER BY file_position)
   FROM release_commit_files WHERE release_id = c.release_id AND commit_position = c.position) AS files`;

export function toCommit({ hasFiles, ...row }: CommitRow): Commit {
  return { ...row, files: hasFiles === 1 ? JSON.parse(row.files) : null };
}

/** Within a write transaction. */
export function setCommits(db: SqliteConnection, scope: Scope, version: string, commits: Commit[]): void {
  const release = findScopedRelease(db, scope, version);
  if (release === null) throw new RangeError("there is no such release to have commits");
  db.run("DELETE FROM release_commits WHERE release_id = :releaseId", { releaseId: release.id });
  db.run("DELETE FROM release_heads WHERE release_id = :releaseId", { releaseId: release.id });
  const kept = commits.slice(0, MAX_KEPT_COMMITS);
  let filesLeft = MAX_KEPT_FILES_OF_RELEASE;
  for (const [position, commit] of kept.entries()) {
    const files = commit.files?.slice(0, Math.min(MAX_KEPT_FILES, filesLeft)) ?? null;
    filesLeft -= files?.length ?? 0;
    insertCommit(db, release.id, position, { ...commit, files });
  }
  db.run(
    `UPDATE releases SET commit_count = :commitCount, last_commit_id = :lastCommitId, authors = :authors
     WHERE id = :releaseId`,
    {
      releaseId: release.id,
      commitCount: kept.length,
      lastCommitId: kept[0]?.id ?? null,
      authors: JSON.stringify(listAuthors(kept)),
    },
  );
  // A repository counts as known since its oldest commit.
  noteRepositories(db, new Map(kept.map(({ repository, at }) => [repository, at])));
  for (const projectId of listProjectIds(db, release)) {
    settleWaiting(db, { projectId, release }, ({ kind }) => kind === "commit");
  }
}

function insertCommit(db: SqliteConnection, releaseId: number, position: number, commit: Commit): void {
  db.run(
    `INSERT INTO release_commits (
       release_id, position, commit_id, repository, author_name, author_email, at, message, has_files)
     VALUES (:releaseId, :position, :commitId, :repository, :authorName, :authorEmail, :at, :message, :hasFiles)`,
    {
      releaseId,
      position,
      commitId: commit.id,
      repository: commit.repository,
      authorName: commit.authorName,
      authorEmail: commit.authorEmail,
      at: Math.floor(commit.at),
      message: commit.message,
      hasFiles: commit.files === null ? 0 : 1,
    },
  );
  for (const [filePosition, { path, change }] of (commit.files ?? []).entries()) {
    db.run(
      `INSERT INTO release_commit_files (release_id, name, commit_position, file_position, path, change)
       VALUES (:releaseId, :name, :position, :filePosition, :path, :change)`,
      { releaseId, name: toSegments(path).at(-1) ?? "", position, filePosition, path, change },
    );
  }
}

/** The authors with most commits first. Authors without an address are told apart by name. */
function listAuthors(commits: Commit[]): Array<{ name: string; email: string }> {
  const authors = new Map<string, { name: string; email: string; count: number }>();
  for (const { authorName, authorEmail } of commits) {
    const name = authorName ?? authorEmail ?? "";
    if (name === "") continue;
    const key = (authorEmail ?? name).toLowerCase();
    const author = authors.get(key);
    if (author) author.count++;
    else authors.set(key, { name, email: authorEmail ?? "", count: 1 });
  }
  return [...authors.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_AUTHORS)
    .map(({ name, email }) => ({ name, email }));
}

export function listProjectIds(db: SqliteConnection, release: OrderedRelease): number[] {
  return db
    .all<{ projectId: number }>(
      "SELECT project_id AS projectId FROM release_projects WHERE release_id = :releaseId ORDER BY project_id",
      { releaseId: release.id },
    )
    .map(({ projectId }) => projectId);
}

export function listCommits(
  db: SqliteConnection,
  scope: Scope,
  version: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Commit[] {
  const release = findScopedRelease(db, scope, version);
  if (release === null) return [];
  return listReleaseCommits(db, release.id, Math.min(Math.max(Math.trunc(limit), 1), MAX_LISTED), offset);
}

/** The commits of a release, newest first; without a limit, all of them. */
export function listReleaseCommits(
  db: SqliteConnection,
  releaseId: number,
  limit = MAX_KEPT_COMMITS,
  offset = 0,
): Commit[] {
  return db
    .all<CommitRow>(
      `SELECT ${COMMIT_COLUMNS} FROM release_commits AS c WHERE c.release_id = :releaseId AND c.position >= :offset
       ORDER BY c.position LIMIT :limit`,
      { releaseId, limit, offset: Math.max(0, Math.trunc(offset)) },
    )
    .map(toCommit);
}

/** How many releases before the given one are searched, too. */
const MAX_SEARCHED_BEFORE = 5;
const MAX_FOUND_FILES = 1_000;

export function findCommitsByPath(
  db: SqliteConnection,
  scope: Scope,
  version: string,
  paths: readonly string[],
): Array<Commit & { path: string; askedPath: string }> {
  const release = findScopedRelease(db, scope, version);
  const asked = paths
    .map((path) => ({ path, segments: toSegments(path) }))
    .filter(({ segments }) => segments.length > 0);
  if (release === null || asked.length === 0) return [];
  const before = findPreviousReleases(db, scope, release, { withCommits: true, limit: MAX_SEARCHED_BEFORE });
  const rows = db.all<CommitRow & { path: string }>(
    `SELECT ${COMMIT_COLUMNS}, f.path
     FROM json_each(:releaseIds) AS searched
     CROSS JOIN (SELECT DISTINCT value AS name FROM json_each(:names)) AS asked
     CROSS JOIN release_commit_files AS f INDEXED BY release_commit_files_by_name
       ON f.release_id = searched.value AND f.name = asked.name
     CROSS JOIN release_commits AS c ON c.release_id = f.release_id AND c.position = f.commit_position
     ORDER BY c.at DESC, searched.key, c.position, f.file_position
     LIMIT ${MAX_FOUND_FILES}`,
    {
      releaseIds: JSON.stringify([release, ...before].map(({ id }) => id)),
      names: JSON.stringify(asked.map(({ segments }) => segments.at(-1))),
    },
  );
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const match = asked.find(({ segments }) => isSamePlace(toSegments(row.path), segments));
    const key = `${row.id} ${row.repository} ${row.path}`;
    if (match === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ ...toCommit(row), path: row.path, askedPath: match.path }];
  });
}

/** The segments of the path, without those that a repository does not have. */
function toSegments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== "." && segment !== ".." && segment !== "~");
}

/**
 * Whether one path ends with the other: an application's paths begin below the repository's root (`src/a.ts`, while the repository has
 * `packages/web/src/a.ts`) or above it (`/srv/app/src/a.ts`, while the repository has `src/a.ts`). In the latter case two segments must be
 * equal, because a lone `index.js` is in every folder.
 */
function isSamePlace(changed: string[], asked: string[]): boolean {
  const shared = Math.min(changed.length, asked.length);
  if (shared < 2 && asked.length > changed.length) return false;
  return changed.slice(-shared).join("/") === asked.slice(-shared).join("/");
}
