import type { MergedIssue } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** The issue into which this one was merged; null if it was not. */
export function findMergeTarget(db: SqliteConnection, issueId: number): number | null {
  const row = db.get<{ id: number }>("SELECT target_issue_id AS id FROM merged_issues WHERE issue_id = :issueId", {
    issueId,
  });
  return row?.id ?? null;
}

export function findMergeTargetByShortId(db: SqliteConnection, shortId: string): number | null {
  const row = db.get<{ id: number }>("SELECT target_issue_id AS id FROM merged_issues WHERE short_id = :shortId", {
    shortId,
  });
  return row?.id ?? null;
}

/** The ids, with merged issues replaced by their target, without repeats, in the order of their first occurrence. */
export function toCurrentIssueIds(db: SqliteConnection, issueIds: readonly number[]): number[] {
  const merged = new Map(
    db
      .all<{ issueId: number; targetId: number }>(
        `SELECT m.issue_id AS issueId, m.target_issue_id AS targetId
         FROM json_each(:issueIds) AS asked CROSS JOIN merged_issues AS m ON m.issue_id = asked.value`,
        { issueIds: JSON.stringify(issueIds) },
      )
      .map((row) => [row.issueId, row.targetId]),
  );
  return [...new Set(issueIds.map((issueId) => merged.get(issueId) ?? issueId))];
}

export function listUnfinishedMerges(db: SqliteConnection, limit: number): MergedIssue[] {
  return db.all<MergedIssue>(
    `SELECT m.issue_id AS issueId, i.project_id AS projectId
     FROM merged_issues AS m CROSS JOIN issues AS i ON i.id = m.target_issue_id
     WHERE m.is_swept = 0 ORDER BY m.issue_id LIMIT :limit`,
    { limit: Math.max(Math.trunc(limit), 0) },
  );
}

/** Within a write transaction. */
export function confirmMerges(db: SqliteConnection, issueIds: readonly number[]): number {
  return db.run(
    `UPDATE merged_issues SET is_swept = 1
     WHERE is_swept = 0 AND issue_id IN (SELECT value FROM json_each(:issueIds))`,
    { issueIds: JSON.stringify(issueIds) },
  ).changedRows;
}
