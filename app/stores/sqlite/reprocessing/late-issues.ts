import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { IssueAssignment } from "../../state/batch-store.ts";
import type { LateIssue } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";

/**
 * Notes the issues of events that were mapped too late, within a write transaction. Events that are read again after a crash are noted,
 * too, because they may have been mapped in time before.
 */
export function noteLateIssues(
  db: SqliteConnection,
  occurrences: readonly IssueOccurrence[],
  assignments: readonly IssueAssignment[],
): void {
  const counts = new Map<number, number>();
  for (const [index, { isMappedLate }] of occurrences.entries()) {
    const issueId = assignments[index]?.issueId;
    if (isMappedLate && issueId !== undefined) counts.set(issueId, (counts.get(issueId) ?? 0) + 1);
  }
  for (const [issueId, count] of counts) {
    db.run(
      `INSERT INTO late_issues (issue_id, noted_count) VALUES (:issueId, :count)
       ON CONFLICT DO UPDATE SET noted_count = noted_count + excluded.noted_count`,
      { issueId, count },
    );
  }
}

export function listLateIssues(db: SqliteConnection, limit: number): LateIssue[] {
  return db.all<LateIssue>(
    "SELECT issue_id AS issueId, noted_count AS notedCount FROM late_issues ORDER BY issue_id LIMIT :limit",
    { limit: Math.max(Math.trunc(limit), 0) },
  );
}

/** Within a write transaction. */
export function forgetLateIssues(db: SqliteConnection, issues: readonly LateIssue[]): number {
  let forgotten = 0;
  for (const { issueId, notedCount } of issues) {
    forgotten += db.run("DELETE FROM late_issues WHERE issue_id = :issueId AND noted_count <= :notedCount", {
      issueId,
      notedCount,
    }).changedRows;
  }
  return forgotten;
}
