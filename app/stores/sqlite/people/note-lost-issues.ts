import type { Assignee, AssigneeRef } from "../../../domain/issues/triage.ts";
import type { SqliteConnection } from "../connection.ts";
import { ASSIGNEE_SEES, toAssigneeJson } from "../issues/assignees.ts";
import { addActivity } from "../issues/issue-status.ts";

interface Cause {
  /** The person who removes, restores or deletes. Null: a token or the operator. */
  userId: number | null;
  at: number;
  reason: string;
}

/**
 * Notes in the activity of each of their issues that nobody is assigned any more. Call it before they lose the issues, in the same
 * transaction.
 */
export function noteLostIssues(db: SqliteConnection, { kind, id }: AssigneeRef, { userId, at, reason }: Cause): void {
  for (const issueId of listIssueIds(db, { kind, id }))
    addActivity(db, { issueId, at, kind: "unassigned", userId, data: { reason } });
}

/**
 * Notes in the activity of the issues that lost their assignee that they are assigned again. Call it in the transaction that restores the
 * member.
 */
export function noteRegainedIssues(db: SqliteConnection, assignee: Assignee, { userId, at, reason }: Cause): void {
  for (const issueId of listIssueIds(db, assignee))
    addActivity(db, { issueId, at, kind: "assigned", userId, data: { assignee, reason } });
}

/**
 * Saves a change of the rights of these members and teams, within a write transaction. The activity of each issue says if its assignee no
 * longer sees the project, or sees it again.
 */
export function noteChangedSight(
  db: SqliteConnection,
  whose: { userIds: readonly number[]; teamIds: readonly number[] },
  { userId, at }: Omit<Cause, "reason">,
  save: () => void,
): void {
  const before = listSeenIssues(db, whose);
  save();
  const after = listSeenIssues(db, whose);
  for (const [issueId, assignee] of before)
    if (!after.has(issueId)) {
      const reason = `${sayAssignee(assignee)} does not see the project any more`;
      addActivity(db, { issueId, at, kind: "unassigned", userId, data: { reason } });
    }
  for (const [issueId, assignee] of after)
    if (!before.has(issueId)) {
      const reason = `${sayAssignee(assignee)} sees the project again`;
      addActivity(db, { issueId, at, kind: "assigned", userId, data: { assignee, reason } });
    }
}

function sayAssignee({ kind, name }: Assignee): string {
  return kind === "team" ? `the team ${name}` : name;
}

/** The issues of these people and teams that their assignee sees, with the assignee. */
function listSeenIssues(
  db: SqliteConnection,
  { userIds, teamIds }: { userIds: readonly number[]; teamIds: readonly number[] },
): Map<number, Assignee> {
  const rows = db.all<{ id: number; assignee: string }>(
    `SELECT i.id, ${toAssigneeJson("a")} AS assignee FROM issue_assignees AS a JOIN issues AS i ON i.id = a.issue_id
     WHERE (a.user_id IN (SELECT value FROM json_each(:userIds)) OR a.team_id IN (SELECT value FROM json_each(:teamIds))) AND ${ASSIGNEE_SEES}
     ORDER BY i.id`,
    { userIds: JSON.stringify(userIds), teamIds: JSON.stringify(teamIds) },
  );
  return new Map(rows.map(({ id, assignee }) => [id, JSON.parse(assignee)]));
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
