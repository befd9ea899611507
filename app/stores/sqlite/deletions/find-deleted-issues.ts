import type { SqliteConnection } from "../connection.ts";

/** The deleted issue of each hash, and when somebody asked for its deletion. If nothing was deleted lately, this costs almost nothing. */
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
