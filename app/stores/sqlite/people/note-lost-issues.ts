import type { Assignee, AssigneeRef } from "../../../domain/issues/triage.ts";
import type { SqliteConnection } from "../connection.ts";
import { ASSIGNEE_SEES } from "../issues/assignees.ts";
import { addActivity } from "../issues/issue-status.ts";

interface Cause {
  /** Who removed, restored or deleted; null: a token or the operator. */
  userId: number | null;
  at: number;
  reason: string;
}

/** Says in the activity of each issue of theirs that nobody has it any more. Before they lose it, within that transaction. */
export function noteLostIssues(db: SqliteConnection, { kind, id }: AssigneeRef, { userId, at, reason }: Cause): void {
  for (const issueId of listIssueIds(db, { kind, id }))
    addActivity(db, { issueId, at, kind: "unassigned", userId, data: { reason } });
}

/** Says that the issues which the removal left with nobody are theirs again. Within the transaction of the return. */
export function noteRegainedIssues(db: SqliteConnection, assignee: Assignee, { userId, at, reason }: Cause): void {
  for (const issueId of listIssueIds(db, assignee))
    addActivity(db, { issueId, at, kind: "assigned", userId, data: { assignee, reason } });
}

function listIssueIds(db: SqliteConnection, { kind, id }: AssigneeRef): number[] {
  return db
    .all<{ id: number }>(
      `SELECT i.id FROM issue_assignees AS a JOIN issues AS i ON i.id = a.issue_id
       WHERE a.${kind === "user" ? "user_id" : "team_id"} = :id AND ${ASSIGNEE_SEES} ORDER BY i.id`,
      { id },
    )
    .map((row) => row.id);
}
