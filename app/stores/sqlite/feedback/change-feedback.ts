import type { FeedbackChange, FeedbackStatus, PreviousFeedback } from "../../../domain/feedback/feedback.ts";
import { type AssigneeRef, isSameAssignee } from "../../../domain/issues/triage.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";
import { seesProject } from "../issues/assignees.ts";

interface By {
  userId: number | null;
  at: number;
}

interface Current extends PreviousFeedback {
  projectId: number;
}

/** Within a write transaction. */
export function changeFeedback(
  db: SqliteConnection,
  scope: Scope,
  { ids, userId, at, ...change }: FeedbackChange & By & { ids: readonly number[] },
): { previous: PreviousFeedback[]; refusedIds: number[] } {
  const previous: PreviousFeedback[] = [];
  const refusedIds: number[] = [];
  for (const id of new Set(ids)) {
    const current = load(db, scope, id);
    if (current === null) continue;
    const { projectId, ...before } = current;
    if (change.assignee && !seesProject(db, change.assignee, projectId)) refusedIds.push(id);
    else if (save(db, current, change, { userId, at })) previous.push(before);
  }
  return { previous, refusedIds };
}

/** Within a write transaction. */
export function restoreFeedback(
  db: SqliteConnection,
  scope: Scope,
  previous: readonly PreviousFeedback[],
  by: By,
): void {
  for (const { id, status, isRead, assignee } of previous) {
    const current = load(db, scope, id);
    if (current === null) continue;
    // A person who no longer sees the project is not assigned again.
    const isLost = assignee !== null && !seesProject(db, assignee, current.projectId);
    save(db, current, { status, isRead, ...(isLost ? {} : { assignee }) }, by);
  }
}

function load(db: SqliteConnection, scope: Scope, id: number): Current | null {
  const row = db.get<{
    projectId: number;
    status: FeedbackStatus;
    isRead: number;
    userId: number | null;
    teamId: number | null;
  }>(
    `SELECT project_id AS projectId, status, is_read AS isRead, assignee_user_id AS userId, assignee_team_id AS teamId
     FROM feedback WHERE id = :id`,
    { id },
  );
  if (row === undefined || !includesProject(scope, row.projectId)) return null;
  const { projectId, status, isRead, userId, teamId } = row;
  const assignee: AssigneeRef | null =
    userId !== null ? { kind: "user", id: userId } : teamId !== null ? { kind: "team", id: teamId } : null;
  return { id, projectId, status, isRead: isRead === 1, assignee };
}

/** Saves a change. False: nothing changed. Feedback with another status counts as read. */
function save(db: SqliteConnection, current: Current, change: FeedbackChange, { userId, at }: By): boolean {
  const status = change.status ?? current.status;
  const isRead = change.isRead ?? (current.isRead || status !== current.status);
  const assignee = change.assignee === undefined ? current.assignee : change.assignee;
  const isMoved = status !== current.status;
  if (!isMoved && isRead === current.isRead && isSameAssignee(assignee, current.assignee)) return false;
  db.run(
    `UPDATE feedback SET status = :status, is_read = :isRead, assignee_user_id = :assigneeUserId,
       assignee_team_id = :assigneeTeamId WHERE id = :id`,
    {
      id: current.id,
      status,
      isRead: isRead ? 1 : 0,
      assigneeUserId: assignee?.kind === "user" ? assignee.id : null,
      assigneeTeamId: assignee?.kind === "team" ? assignee.id : null,
    },
  );
  if (isMoved)
    db.run(
      `UPDATE feedback SET spam_reason = :spamReason, is_cleared = :isCleared, changed_by = :userId, changed_at = :at
       WHERE id = :id`,
      {
        id: current.id,
        spamReason: status === "spam" ? "hand" : null,
        isCleared: current.status === "spam" ? 1 : 0,
        userId,
        at: Math.floor(at),
      },
    );
  return true;
}
