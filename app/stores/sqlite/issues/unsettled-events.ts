import type { UnsettledEvents } from "../../../domain/issues/unsettled-events.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_NAMED = 50;

export function listUnsettled(db: SqliteConnection, scope: Scope, issueId: number): UnsettledEvents[] {
  const issue = db.get<{ projectId: number }>("SELECT project_id AS projectId FROM issues WHERE id = :issueId", {
    issueId,
  });
  if (issue === undefined || !includesProject(scope, issue.projectId)) return [];
  const unsettled: UnsettledEvents[] = [];
  const coming = listComing(db, issueId);
  if (coming.length > 0) unsettled.push({ kind: "coming", shortIds: coming });
  const leaving = listLeaving(db, issueId);
  if (leaving.length > 0 || isRegrouped(db, issueId))
    unsettled.push({ kind: "leaving", shortIds: leaving, lookedAtCount: countLookedAt(db, issueId) });
  if (hasDeleted(db, issueId)) unsettled.push({ kind: "deleted" });
  return unsettled;
}

function listComing(db: SqliteConnection, issueId: number): string[] {
  return toShortIds(
    db.all<{ shortId: string }>(
      `SELECT short_id AS shortId, issue_id AS id FROM merged_issues WHERE target_issue_id = :issueId AND is_swept = 0
       UNION SELECT i.short_id, i.id FROM regrouping_flows AS f JOIN issues AS i ON i.id = f.from_issue_id
       WHERE f.to_issue_id = :issueId AND i.id <> :issueId
       ORDER BY id LIMIT ${MAX_NAMED}`,
      { issueId },
    ),
  );
}

function listLeaving(db: SqliteConnection, issueId: number): string[] {
  return toShortIds(
    db.all<{ shortId: string }>(
      `SELECT DISTINCT i.short_id AS shortId, i.id FROM regrouping_flows AS f JOIN issues AS i ON i.id = f.to_issue_id
       WHERE f.from_issue_id = :issueId AND i.id <> :issueId
       ORDER BY i.id LIMIT ${MAX_NAMED}`,
      { issueId },
    ),
  );
}

/**
 * Whether the issue's events are being regrouped into issues that are not known yet: a split makes new issues, and a move of stored events
 * starts from many issues.
 */
function isRegrouped(db: SqliteConnection, issueId: number): boolean {
  const found = db.get(
    `SELECT 1 FROM regrouping_requests AS r WHERE r.issue_id = :issueId
       AND NOT EXISTS (
         SELECT 1 FROM regrouping_flows AS f
         JOIN issues AS i ON i.id = f.from_issue_id JOIN issues AS t ON t.id = f.to_issue_id AND t.id <> i.id
         WHERE f.request_issue_id = r.issue_id)
     UNION ALL
     SELECT 1 FROM rule_move_issues AS g JOIN rule_moves AS m ON m.id = g.move_id
     WHERE g.issue_id = :issueId AND m.undo_asked_at IS NOT NULL AND m.undone_at IS NULL
     LIMIT 1`,
    { issueId },
  );
  return found !== undefined;
}

function countLookedAt(db: SqliteConnection, issueId: number): number {
  const request = db.get<{ count: number }>(
    "SELECT done_count AS count FROM regrouping_requests WHERE issue_id = :issueId",
    { issueId },
  );
  return request?.count ?? 0;
}

function hasDeleted(db: SqliteConnection, issueId: number): boolean {
  const found = db.get(
    `SELECT 1 FROM deletions AS d WHERE d.phase = 'asked' AND (
       (d.kind = 'event' AND d.target ->> 'issueId' IN
         (SELECT :issueId UNION ALL SELECT issue_id FROM merged_issues WHERE target_issue_id = :issueId))
       OR EXISTS (SELECT 1 FROM deletion_issues AS t WHERE t.deletion_id = d.id AND t.issue_id = :issueId))
     LIMIT 1`,
    { issueId },
  );
  return found !== undefined;
}

function toShortIds(rows: ReadonlyArray<{ shortId: string }>): string[] {
  return rows.map(({ shortId }) => shortId);
}
