import type { AuditTarget } from "../../../domain/audit/audit-entry.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { DeletionRequest, DeletionTarget } from "../../state/deletion-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { noteRuleChange } from "../grouping/rule-version.ts";
import { announceActivity } from "../issues/announce-activity.ts";
import { LARGE_ISSUE_TABLES, SMALL_ISSUE_TABLES } from "../issues/issue-tables.ts";
import { toCurrentIssueIds } from "../reprocessing/merged-issues.ts";

export interface DeletedIssue {
  issueId: number;
  projectId: number;
  shortId: string;
}

/** Deletes issues, within a write transaction. Their remaining rows are deleted in the background: see `purgeIssues`. */
export function deleteIssues(
  db: SqliteConnection,
  scope: Scope,
  request: DeletionRequest & { issueIds: readonly number[] },
): DeletedIssue[] {
  const deleted = toCurrentIssueIds(db, request.issueIds).flatMap((issueId) => {
    const issue = db.get<DeletedIssue>(
      "SELECT id AS issueId, project_id AS projectId, short_id AS shortId FROM issues WHERE id = :issueId",
      { issueId },
    );
    if (issue === undefined || !includesProject(scope, issue.projectId)) return [];
    deleteIssue(db, issue, request);
    return [issue];
  });
  if (deleted.length > 0)
    noteDeletion(db, { kind: "issue", id: null, name: nameList(deleted.map(({ shortId }) => shortId)) });
  return deleted;
}

/** Notes the request of a deletion in the audit log, within a write transaction. */
export function noteDeletion(db: SqliteConnection, target: AuditTarget): void {
  db.note({ action: "deletion.request", target });
}

function nameList(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
}

/** Within a write transaction; see `deleteIssues`. */
export function deleteIssue(db: SqliteConnection, issue: DeletedIssue, request: DeletionRequest): void {
  const { issueId, projectId, shortId } = issue;
  announceActivity(db, issueId);
  const ended = db.all<{ id: number }>("SELECT issue_id AS id FROM merged_issues WHERE target_issue_id = :issueId", {
    issueId,
  });
  const target: DeletionTarget = { kind: "issues", projectId, issueIds: [issueId, ...ended.map(({ id }) => id)] };
  const deletionId = insertDeletion(db, { ...request, kind: "issue", label: shortId, projectId, target });
  db.run(
    `INSERT INTO deleted_hashes (project_id, hash, issue_id, deletion_id, asked_at)
     SELECT project_id, hash, issue_id, :deletionId, :at FROM issue_hashes WHERE issue_id = :issueId
     ON CONFLICT DO UPDATE SET
       issue_id = excluded.issue_id, deletion_id = excluded.deletion_id, asked_at = excluded.asked_at`,
    { issueId, deletionId, at: Math.floor(request.at) },
  );
  for (const table of SMALL_ISSUE_TABLES) db.run(`DELETE FROM ${table} WHERE issue_id = :issueId`, { issueId });
  db.run("DELETE FROM merged_issues WHERE target_issue_id = :issueId", { issueId });
  db.run(
    "DELETE FROM once_merged_hashes WHERE merge_id IN (SELECT id FROM issue_merges WHERE target_issue_id = :issueId)",
    { issueId },
  );
  db.run("DELETE FROM issue_merges WHERE target_issue_id = :issueId", { issueId });
  if (db.run("DELETE FROM issue_splits WHERE issue_id = :issueId", { issueId }).changedRows > 0) noteRuleChange(db);
  db.run("DELETE FROM issue_search WHERE rowid = :issueId", { issueId });
  db.run("DELETE FROM issues WHERE id = :issueId", { issueId });
}

/** Deletes remaining rows of deleted issues, at most `limit` of each table. Returns how many. Within a write transaction. */
export function purgeIssues(db: SqliteConnection, issueIds: readonly number[], limit: number): number {
  let purged = 0;
  for (const issueId of issueIds) {
    for (const table of LARGE_ISSUE_TABLES) {
      const keys = db
        .all<{ name: string }>("SELECT name FROM pragma_table_info(:table) WHERE pk > 0 ORDER BY pk", { table })
        .map(({ name }) => name)
        .join(", ");
      purged += db.run(
        `DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} WHERE issue_id = :issueId LIMIT :limit)`,
        { issueId, limit },
      ).changedRows;
    }
  }
  return purged;
}

/** Inserts a deletion within a write transaction. Returns its id. */
export function insertDeletion(
  db: SqliteConnection,
  deletion: DeletionRequest & { kind: string; label: string; projectId: number | null; target: DeletionTarget },
): number {
  const { kind, label, projectId, target, at, userId } = deletion;
  return db.run(
    `INSERT INTO deletions (kind, label, project_id, target, asked_at, user_id, phase)
     VALUES (:kind, :label, :projectId, :target, :at, :userId, 'asked')`,
    { kind, label, projectId, target: JSON.stringify(target), at: Math.floor(at), userId },
  ).insertedId;
}
