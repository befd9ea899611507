import type { Commit } from "../../../domain/release.ts";
import type { OrderedRelease } from "../../../domain/releases/release-order.ts";
import { isCommitHash, isWholeCommitHash, type ReleaseHead } from "../../../domain/repository.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, groupRows, type RowOf } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { COMMIT_COLUMNS, type CommitRow, listReleaseCommits, setCommits, toCommit } from "./release-commits.ts";
import { findPreviousReleases, findScopedRelease } from "./release-order.ts";
import { noteRepositories } from "./repositories.ts";

type NamedHead = Omit<ReleaseHead, "hasCommits">;

/** The most commits before a head among which the end of its range is searched, in a commit list of another release. */
const MAX_RANGE = 10_000;

/** Within a write transaction. */
export function setHeads(
  db: SqliteConnection,
  scope: Scope,
  version: string,
  heads: readonly NamedHead[],
  at: number,
): void {
  const release = findScopedRelease(db, scope, version);
  if (release === null) throw new RangeError("there is no such release to have commits");
  const [previous] = findPreviousReleases(db, scope, release, { withCommits: true, limit: 1 });
  const listed = listReleaseCommits(db, release.id);
  const earlier = readHeads(db, JSON.stringify([release.id])).get(release.id) ?? [];
  const found: Commit[] = [];
  const saved: ReleaseHead[] = heads.map((head) => {
    const isAlone = earlier.some((other) => !other.hasCommits && isSameHead(other, head));
    if (!isAlone && listed.some((commit) => isOfHead(commit, head))) return { ...head, hasCommits: true };
    const before = head.previousCommitId ?? (previous ? findNewestCommitId(db, previous, head.repository) : null);
    const { commits, isWhole } = findRange(db, head, before);
    if (commits.length > 0) found.push(...commits);
    else if (isCommitHash(head.commitId)) found.push(toBareCommit(head, at));
    return { ...head, hasCommits: isWhole };
  });
  if (found.length > 0) setCommits(db, scope, version, [...found, ...withoutCommits(listed, found)]);
  noteRepositories(db, new Map(heads.map(({ repository }) => [repository, at])));
  saveHeads(db, release.id, saved);
}

function saveHeads(db: SqliteConnection, releaseId: number, heads: readonly ReleaseHead[]): void {
  db.run("DELETE FROM release_heads WHERE release_id = :releaseId", { releaseId });
  for (const [position, { repository, commitId, previousCommitId, hasCommits }] of heads.entries()) {
    db.run(
      `INSERT INTO release_heads (release_id, position, repository, commit_id, previous_commit_id, has_commits)
       VALUES (:releaseId, :position, :repository, :commitId, :previousCommitId, :hasCommits)`,
      { releaseId, position, repository, commitId, previousCommitId, hasCommits: hasCommits ? 1 : 0 },
    );
  }
}

/** The heads by release id. Releases without heads are absent. `ids`: JSON array. */
export function readHeads(db: SqliteConnection, ids: string): Map<number, ReleaseHead[]> {
  const rows = db.all<RowOf<ReleaseHead, { hasCommits: number }> & { releaseId: number }>(
    `SELECT ${asFields("h.release_id, h.repository, h.commit_id, h.previous_commit_id, h.has_commits")}
     FROM json_each(:ids) AS asked CROSS JOIN release_heads AS h ON h.release_id = asked.value
     ORDER BY h.release_id, h.position`,
    { ids },
  );
  return groupRows(rows, ({ releaseId, ...head }) => [releaseId, { ...head, hasCommits: head.hasCommits === 1 }]);
}

/**
 * The head, and the commits after `before` up to it, newest first, from the commit list of any release. If no list has both, only the head,
 * from the first list that has it. If none has it, empty.
 */
function findRange(
  db: SqliteConnection,
  { repository, commitId }: NamedHead,
  before: string | null,
): { commits: Commit[]; isWhole: boolean } {
  // A whole hash names the same commit in every repository: sentry-cli names a checkout after its remote (`origin`).
  const ofRepository = isWholeCommitHash(commitId) ? null : repository;
  // Lists with both commits come first, the longest range before others.
  const place = db.get<{ releaseId: number; position: number; repository: string; length: number | null }>(
    `SELECT c.release_id AS releaseId, c.position, c.repository,
       (SELECT min(b.position) - c.position FROM release_commits AS b
        WHERE b.commit_id = :before AND b.repository = c.repository AND b.release_id = c.release_id
          AND b.position > c.position AND b.position <= c.position + ${MAX_RANGE}) AS length
     FROM release_commits AS c
     WHERE c.commit_id = :commitId ${ofRepository === null ? "" : "AND c.repository = :ofRepository"}
     ORDER BY length IS NULL, length DESC, c.message = '', c.release_id LIMIT 1`,
    { commitId, before: before ?? "", ...(ofRepository === null ? {} : { ofRepository }) },
  );
  if (place === undefined) return { commits: [], isWhole: false };
  const rows = db.all<CommitRow>(
    `SELECT ${COMMIT_COLUMNS} FROM release_commits AS c
     WHERE c.release_id = :releaseId AND c.position >= :position AND c.position < :position + :length
       AND c.repository = :repository
     ORDER BY c.position`,
    { ...place, length: place.length ?? 1 },
  );
  return { commits: rows.map((row) => ({ ...toCommit(row), repository })), isWhole: place.length !== null };
}

/** The newest commit in the repository, or else in any: an earlier release may have come from a checkout with another name. */
function findNewestCommitId(db: SqliteConnection, release: OrderedRelease, repository: string): string | null {
  const row = db.get<{ id: string }>(
    `SELECT commit_id AS id FROM release_commits WHERE release_id = :releaseId
     ORDER BY repository <> :repository, position LIMIT 1`,
    { releaseId: release.id, repository },
  );
  return row?.id ?? null;
}

/** A commit. Only its hash is known. */
function toBareCommit({ repository, commitId }: NamedHead, at: number): Commit {
  return { id: commitId, repository, authorName: null, authorEmail: null, at, message: "", files: null };
}

function withoutCommits(commits: Commit[], others: readonly Commit[]): Commit[] {
  const keys = new Set(others.map(toCommitKey));
  return commits.filter((commit) => !keys.has(toCommitKey(commit)));
}

function toCommitKey({ id, repository }: Pick<Commit, "id" | "repository">): string {
  return isWholeCommitHash(id) ? id : `${repository} ${id}`;
}

function isSameHead(a: NamedHead, b: NamedHead): boolean {
  return a.commitId === b.commitId && a.repository === b.repository;
}

function isOfHead(commit: Commit, head: NamedHead): boolean {
  return toCommitKey(commit) === toCommitKey({ id: head.commitId, repository: head.repository });
}
