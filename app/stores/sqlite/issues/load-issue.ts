import type { StoredIssue } from "../batches/issue-draft.ts";
import type { SqliteConnection } from "../connection.ts";

export function loadIssue(db: SqliteConnection, issueId: number): StoredIssue | null {
  const stored = db.get<StoredIssue>(
    `SELECT id, project_id, short_id, status, substatus, status_changed_at, first_seen_at, last_seen_at,
       level, is_unhandled, platform, logger, type, title, culprit, value, search_text, first_release_id, last_release_id
     FROM issues WHERE id = :issueId`,
    { issueId },
  );
  return stored ?? null;
}
