import type { IssueStatus, IssueSubstatus } from "../../domain/issue.ts";
import type { IssueActivity } from "../state-store.ts";
import type { SqliteConnection } from "./connection.ts";
import { toSubstatus } from "./issue-row.ts";

export interface IssueStatusBefore {
  issueId: number;
  status: IssueStatus;
  substatus: IssueSubstatus;
}

const ACTIVITY_OF_STATUS = {
  unresolved: "reopened",
  resolved: "resolved",
  archived: "archived",
} satisfies Record<IssueStatus, IssueActivity["kind"]>;

/** Within a write transaction. */
export function changeIssueStatus(
  db: SqliteConnection,
  change: { issueIds: number[]; status: IssueStatus; userId: number | null; at: number },
  now: number,
): IssueStatusBefore[] {
  const changed: IssueStatusBefore[] = [];
  for (const issueId of new Set(change.issueIds)) {
    const before = getStatus(db, issueId, now);
    if (before === null || before.status === change.status) continue;
    // The substatus of an issue that is put away is kept for its undo; who reopens one has seen it: it is not new.
    const substatus = change.status === "unresolved" ? "ongoing" : before.substatus;
    setStatus(db, { issueId, status: change.status, substatus }, change.at);
    addActivity(db, {
      issueId,
      at: change.at,
      kind: ACTIVITY_OF_STATUS[change.status],
      userId: change.userId,
      data: {},
    });
    changed.push(before);
  }
  return changed;
}

/** Within a write transaction. */
export function restoreIssueStatuses(
  db: SqliteConnection,
  previous: IssueStatusBefore[],
  by: { userId: number | null; at: number },
  now: number,
): void {
  for (const restored of previous) {
    const current = getStatus(db, restored.issueId, now);
    if (current === null) continue;
    if (current.status === restored.status && current.substatus === restored.substatus) continue;
    setStatus(db, restored, by.at);
    if (current.status === restored.status) continue;
    addActivity(db, {
      issueId: restored.issueId,
      at: by.at,
      kind: ACTIVITY_OF_STATUS[restored.status],
      userId: by.userId,
      data: { isUndo: true },
    });
  }
}

export function addActivity(
  db: SqliteConnection,
  activity: { issueId: number; at: number; kind: IssueActivity["kind"]; userId: number | null; data: object },
): void {
  db.run(
    "INSERT INTO issue_activity (issue_id, at, kind, user_id, data) VALUES (:issueId, :at, :kind, :userId, :data)",
    { ...activity, data: JSON.stringify(activity.data) },
  );
}

function getStatus(db: SqliteConnection, issueId: number, now: number): IssueStatusBefore | null {
  const row = db.get<{ status: IssueStatus; substatus: IssueSubstatus; first_seen_at: number }>(
    "SELECT status, substatus, first_seen_at FROM issues WHERE id = :issueId",
    { issueId },
  );
  return row ? { issueId, status: row.status, substatus: toSubstatus(row, now) } : null;
}

function setStatus(db: SqliteConnection, { issueId, status, substatus }: IssueStatusBefore, at: number): void {
  db.run("UPDATE issues SET status = :status, substatus = :substatus, status_changed_at = :at WHERE id = :issueId", {
    issueId,
    status,
    substatus,
    at,
  });
}
