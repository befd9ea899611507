import type { MergedIssue } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** The issue in which this one ended; null when it did not. */
export function findMergeTarget(db: SqliteConnection, issueId: number): number | null {
  const row = db.get<{ target_issue_id: number }>(
    "SELECT target_issue_id FROM merged_issues WHERE issue_id = :issueId",
    { issueId },
  );
  return row?.target_issue_id ?? null;
}

export function findMergeTargetByShortId(db: SqliteConnection, shortId: string): number | null {
  const row = db.get<{ target_issue_id: number }>(
    "SELECT target_issue_id FROM merged_issues WHERE short_id = :shortId",
    { shortId },
  );
  return row?.target_issue_id ?? null;
}

/** With those that ended in another issue replaced by that one; each once, in the order in which they are first named. */
export function toCurrentIssueIds(db: SqliteConnection, issueIds: readonly number[]): number[] {
  const merged = new Map(
    db
      .all<{ issue_id: number; target_issue_id: number }>(
        `SELECT m.issue_id, m.target_issue_id
         FROM json_each(:issueIds) AS asked CROSS JOIN merged_issues AS m ON m.issue_id = asked.value`,
        { issueIds: JSON.stringify(issueIds) },
      )
      .map((row) => [row.issue_id, row.target_issue_id]),
  );
  return [...new Set(issueIds.map((issueId) => merged.get(issueId) ?? issueId))];
}

export function listUnsweptIssues(db: SqliteConnection, limit: number): MergedIssue[] {
  return db
    .all<{ issue_id: number; project_id: number }>(
      `SELECT m.issue_id, i.project_id
       FROM merged_issues AS m CROSS JOIN issues AS i ON i.id = m.target_issue_id
       WHERE m.is_swept = 0 ORDER BY m.issue_id LIMIT :limit`,
      { limit: Math.max(Math.trunc(limit), 0) },
    )
    .map((row) => ({ issueId: row.issue_id, projectId: row.project_id }));
}

/** Within a write transaction. */
export function confirmSwept(db: SqliteConnection, issueIds: readonly number[]): number {
  return db.run(
    `UPDATE merged_issues SET is_swept = 1
     WHERE is_swept = 0 AND issue_id IN (SELECT value FROM json_each(:issueIds))`,
    { issueIds: JSON.stringify(issueIds) },
  ).changedRows;
}
