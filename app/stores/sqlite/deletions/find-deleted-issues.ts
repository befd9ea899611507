import type { SqliteConnection } from "../connection.ts";

/** By hash: the deleted issue that had it, and when that was asked for. Empty, for next to nothing, when nothing was deleted lately. */
export function findDeletedIssues(
  db: SqliteConnection,
  projectId: number,
  hashes: readonly string[],
): Map<string, { issueId: number; askedAt: number }> {
  return new Map(
    db
      .all<{ hash: string; issueId: number; askedAt: number }>(
        `SELECT hash, issue_id AS issueId, asked_at AS askedAt FROM deleted_hashes
         WHERE project_id = :projectId AND hash IN (SELECT value FROM json_each(:hashes))`,
        { projectId, hashes: JSON.stringify(hashes) },
      )
      .map(({ hash, ...issue }) => [hash, issue]),
  );
}
