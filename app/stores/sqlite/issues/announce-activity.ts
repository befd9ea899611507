import type { SqliteConnection } from "../connection.ts";

/**
 * Tells open pages, after the commit of the present write transaction, that something happened to the issue or that it ended. Call it
 * before the issue is deleted.
 */
export function announceActivity(db: SqliteConnection, issueId: number): void {
  const { onActivity } = db;
  if (onActivity === null) return;
  const issue = db.get<{ projectId: number }>("SELECT project_id AS projectId FROM issues WHERE id = :issueId", {
    issueId,
  });
  if (issue) db.afterCommit(() => onActivity({ issueId, projectId: issue.projectId }));
}
