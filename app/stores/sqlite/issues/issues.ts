import type { Issue } from "../../../domain/issue.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { IssueActivity, IssueHash } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { findMergeTarget, findMergeTargetByShortId, toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { unpackGrouping } from "./grouping-blob.ts";
import { ISSUE_COLUMNS, type IssueRow, toIssue } from "./issue-row.ts";
import { parseShortId } from "./short-id.ts";

const MAX_ACTIVITIES = 200;
const MAX_HASHES = 200;

/** The issue; null if it does not exist or is outside of the scope. */
export function getScopedIssue(db: SqliteConnection, scope: Scope, issueId: number, now: number): Issue | null {
  return inScope(scope, getIssue(db, issueId, now));
}

export function getScopedIssueByShortId(
  db: SqliteConnection,
  scope: Scope,
  shortId: string,
  now: number,
): Issue | null {
  return inScope(scope, getIssueByShortId(db, shortId, now));
}

export function getIssue(db: SqliteConnection, issueId: number, now: number): Issue | null {
  const row = db.get<IssueRow>(`SELECT ${ISSUE_COLUMNS} FROM issues AS i WHERE i.id = :issueId`, { issueId });
  if (row) return toIssue(row, now);
  const targetId = findMergeTarget(db, issueId);
  return targetId === null ? null : getIssue(db, targetId, now);
}

function getIssueByShortId(db: SqliteConnection, shortId: string, now: number): Issue | null {
  const row = db.get<IssueRow>(`SELECT ${ISSUE_COLUMNS} FROM issues AS i WHERE i.short_id = :shortId`, {
    shortId: parseShortId(shortId),
  });
  if (row) return toIssue(row, now);
  const targetId = findMergeTargetByShortId(db, parseShortId(shortId));
  return targetId === null ? null : getIssue(db, targetId, now);
}

export function getIssues(db: SqliteConnection, scope: Scope, issueIds: number[], now: number): Issue[] {
  const rows = db.all<IssueRow>(
    `SELECT ${ISSUE_COLUMNS}
     FROM json_each(:issueIds) AS asked CROSS JOIN issues AS i ON i.id = asked.value
     ORDER BY asked.key`,
    { issueIds: JSON.stringify(toCurrentIssueIds(db, issueIds)) },
  );
  return rows.filter((row) => includesProject(scope, row.projectId)).map((row) => toIssue(row, now));
}

export function listActivity(db: SqliteConnection, scope: Scope, issueId: number): IssueActivity[] {
  const currentId = findMergeTarget(db, issueId) ?? issueId;
  if (!isIssueInScope(db, scope, currentId)) return [];
  const rows = db.all<{
    id: number;
    at: number;
    kind: IssueActivity["kind"];
    data: string;
    userId: number | null;
    userName: string | null;
  }>(
    `SELECT a.id, a.at, a.kind, a.data, a.user_id AS userId, u.name AS userName
     FROM issue_activity AS a LEFT JOIN users AS u ON u.id = a.user_id
     WHERE a.issue_id = :issueId
     ORDER BY a.id DESC
     LIMIT ${MAX_ACTIVITIES}`,
    { issueId: currentId },
  );
  return rows.map(({ userId, userName, data, ...activity }) => ({
    ...activity,
    issueId: currentId,
    user: userId === null || userName === null ? null : { id: userId, name: userName },
    data: JSON.parse(data),
  }));
}

export function listScopedIssueHashes(db: SqliteConnection, scope: Scope, issueId: number): IssueHash[] {
  const currentId = findMergeTarget(db, issueId) ?? issueId;
  return isIssueInScope(db, scope, currentId) ? listIssueHashes(db, currentId) : [];
}

export function listIssueHashes(db: SqliteConnection, issueId: number): IssueHash[] {
  const rows = db.all<RowOf<IssueHash, { grouping: Uint8Array; isFoundByAlias: number }>>(
    `SELECT ${asFields("hash, first_seen_at, grouping")}, is_found_by_kin AS isFoundByAlias FROM issue_hashes
     WHERE issue_id = :issueId
     ORDER BY id
     LIMIT ${MAX_HASHES}`,
    { issueId: findMergeTarget(db, issueId) ?? issueId },
  );
  return rows.map((row) => ({
    ...row,
    grouping: unpackGrouping(row.grouping),
    isFoundByAlias: row.isFoundByAlias === 1,
  }));
}

function inScope(scope: Scope, issue: Issue | null): Issue | null {
  return issue !== null && includesProject(scope, issue.projectId) ? issue : null;
}

function isIssueInScope(db: SqliteConnection, scope: Scope, issueId: number): boolean {
  const row = db.get<Pick<Issue, "projectId">>("SELECT project_id AS projectId FROM issues WHERE id = :issueId", {
    issueId,
  });
  return row !== undefined && includesProject(scope, row.projectId);
}
