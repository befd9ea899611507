import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { SqliteConnection } from "../connection.ts";
import type { IssueRow } from "./issue-row.ts";

type KnownIssueRow = Omit<IssueRow, "event_count" | "user_count" | "first_release" | "last_release" | "resolution"> & {
  first_release_id: number | null;
  last_release_id: number | null;
};

/** Those that exist, by id. */
export function loadIssues(db: SqliteConnection, issueIds: readonly number[]): Map<number, KnownIssue> {
  if (issueIds.length === 0) return new Map();
  const rows = db.all<KnownIssueRow>(
    `SELECT i.id, i.project_id, i.short_id, i.status, i.substatus, i.status_changed_at, i.first_seen_at, i.last_seen_at,
       i.level, i.is_unhandled, i.platform, i.logger, i.type, i.title, i.culprit, i.value, i.first_release_id,
       i.last_release_id
     FROM json_each(:issueIds) AS asked CROSS JOIN issues AS i ON i.id = asked.value`,
    { issueIds: JSON.stringify(issueIds) },
  );
  return new Map(rows.map((row) => [row.id, toKnownIssue(row)]));
}

export function loadIssue(db: SqliteConnection, issueId: number): KnownIssue | null {
  return loadIssues(db, [issueId]).get(issueId) ?? null;
}

function toKnownIssue(row: KnownIssueRow): KnownIssue {
  return {
    id: row.id,
    projectId: row.project_id,
    shortId: row.short_id,
    status: row.status,
    substatus: row.substatus,
    statusChangedAt: row.status_changed_at,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    title: row.title,
    type: row.type,
    value: row.value,
    culprit: row.culprit,
    level: row.level,
    platform: row.platform,
    logger: row.logger,
    isUnhandled: row.is_unhandled === 1,
    firstReleaseId: row.first_release_id,
    lastReleaseId: row.last_release_id,
  };
}
